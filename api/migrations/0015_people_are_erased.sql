-- What is known of a person can be erased. Of her payments remain amount, days, reference and outcome, which accounting
-- law needs: a row of a list loses its recipient, once, and its money stays as it was approved (Access 7).

alter table transfer_master_list add erased_at timestamptz,
  drop constraint transfer_master_list_receiver,
  add constraint transfer_master_list_receiver
    check (erased_at is not null or receiver_phone_number is not null or receiver_account is not null),
  add constraint transfer_master_list_erased check (erased_at is null
    or receiver_first_name = '—' and receiver_last_name = '—'
      and num_nonnulls(receiver_phone_number, receiver_account, receiver_bank) = 0);

-- Nothing is paid to an erased recipient: her payments are made or written off, and no payment is made of an erased row.
alter table transfer_payrolls add erased_at timestamptz,
  add constraint transfer_payrolls_receiver
    check (erased_at is not null or receiver_phone_number is not null or receiver_account is not null),
  add constraint transfer_payrolls_erased check (erased_at is null
    or (status = 'success' or status = 'failed' and written_off_at is not null) and receiver_first_name = '—' and receiver_last_name = '—'
      and num_nonnulls(receiver_phone_number, receiver_account, receiver_bank) = 0);

-- The hash of a list before and after an erasure. The first `hash_before` is the hash that was approved, each further one the
-- `hash_after` before it. Only `erase_recipients` adds a row.
create table transfer_list_erasures (
  id bigint primary key generated always as identity,
  cohort_id bigint not null references transfer_cohorts (id),
  hash_before text not null,
  hash_after text not null,
  rows integer not null,
  created_at timestamptz not null default now(),
  constraint transfer_list_erasures_before_key unique (cohort_id, hash_before),
  constraint transfer_list_erasures_rows_check check (rows > 0)
);
create index transfer_list_erasures_cohort_index on transfer_list_erasures (cohort_id, id);
create trigger transfer_list_erasures_keep before update or delete on transfer_list_erasures
  for each row execute function refuse_change();
create trigger transfer_list_erasures_keep_all before truncate on transfer_list_erasures
  for each statement execute function refuse_change();

-- The hash that the list of a cohort must have: the approved one, or the one after the last erasure.
create function transfer_list_hash_due(cohort bigint) returns text language sql stable as $$
  select coalesce((select e.hash_after from transfer_list_erasures e where e.cohort_id = c.id order by e.id desc limit 1), c.list_hash)
  from transfer_cohorts c where c.id = cohort
$$;

create or replace function round_is_of_approved_list() returns trigger language plpgsql as $$
begin
  if transfer_list_hash_due(new.cohort_id) is distinct from transfer_list_hash(new.cohort_id) then
    raise exception 'the list of cohort % is not the one that was approved', new.cohort_id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- A decided list changes only by erasures: `erased_at` is set, which the application's role may not do, and money, row and
-- student stay.
create or replace function list_is_frozen_update() returns trigger language plpgsql as $$
begin
  perform refuse_decided_lists(array(
    select r.cohort_id from removed r
    where not exists (select from added a where a.id = r.id and a.erased_at is distinct from r.erased_at and a.erased_at is not null
      and (a.cohort_id, a."row", a.student_id, a.amount, a.fees, a.created_at)
        = (r.cohort_id, r."row", r.student_id, r.amount, r.fees, r.created_at))
    union
    select a.cohort_id from added a where not exists (select from removed r where r.id = a.id and r.cohort_id = a.cohort_id)));
  return null;
end $$;

drop trigger payment_keeps_its_recipient on transfer_payrolls;
create trigger payment_keeps_its_recipient before update on transfer_payrolls for each row
  when ((old.receiver_first_name, old.receiver_last_name, old.receiver_phone_number, old.receiver_account, old.receiver_bank, old.fees)
    is distinct from (new.receiver_first_name, new.receiver_last_name, new.receiver_phone_number, new.receiver_account,
    new.receiver_bank, new.fees)
    and not (new.erased_at is not null and new.erased_at is distinct from old.erased_at and new.fees = old.fees))
  execute function payment_keeps_its_recipient();

-- Erases the recipients of these rows of lists; with `codes` also the student's code. Only the owner of the database may
-- call it. It refuses undecided lists, lists that are not as they were approved, and payments without a final outcome.
create function erase_recipients(entries bigint[], codes boolean) returns void
  language plpgsql security definer set search_path = public as $$
declare
  cohort transfer_cohorts;
  before text;
begin
  for cohort in select c.* from transfer_cohorts c
    where c.id in (select cohort_id from transfer_master_list where id = any(entries)) order by c.id for update
  loop
    if cohort.status = 'pending' then
      raise exception 'cohort % is not decided', cohort.id using errcode = 'check_violation', constraint = 'erase_undecided';
    end if;
    before := transfer_list_hash(cohort.id);
    if before is distinct from transfer_list_hash_due(cohort.id) then
      raise exception 'the list of cohort % is not the one that was approved', cohort.id using errcode = 'check_violation',
        constraint = 'erase_changed_list';
    end if;
    update transfer_payrolls p set erased_at = now(), receiver_first_name = '—', receiver_last_name = '—',
      receiver_phone_number = null, receiver_account = null, receiver_bank = null
    from transfer_master_list m
    where m.id = p.master_list_id and m.id = any(entries) and m.cohort_id = cohort.id and p.erased_at is null;
    update transfer_master_list set erased_at = clock_timestamp(), receiver_first_name = '—', receiver_last_name = '—',
      receiver_phone_number = null, receiver_account = null, receiver_bank = null,
      student_code = case when codes then 'erased-' || id else student_code end
    where id = any(entries) and cohort_id = cohort.id and (erased_at is null or codes and student_code <> 'erased-' || id);
    if found then
      insert into transfer_list_erasures (cohort_id, hash_before, hash_after, rows)
      select cohort.id, before, transfer_list_hash(cohort.id),
        (select count(*) from transfer_master_list where id = any(entries) and cohort_id = cohort.id);
    end if;
  end loop;
end $$;
revoke all on function erase_recipients(bigint[], boolean) from public;

-- What was corrected in a review loses its values when the person is erased; that somebody corrected it stays.
create function keep_import_corrections() returns trigger language plpgsql as $$
begin
  if num_nonnulls(new.old_value, new.new_value) = 0 and (new.import_id, new."row", new."column", new.user_id, new.created_at)
      = (old.import_id, old."row", old."column", old.user_id, old.created_at) then
    return new;
  end if;
  raise exception 'UPDATE of import_corrections is not possible: values are emptied, nothing else'
    using errcode = 'insufficient_privilege';
end $$;
drop trigger import_corrections_keep on import_corrections;
create trigger import_corrections_keep before update on import_corrections for each row execute function keep_import_corrections();

-- The content of a file was deleted. Name, size and hash stay, because other rows name the file.
alter table files add dropped_at timestamptz;
