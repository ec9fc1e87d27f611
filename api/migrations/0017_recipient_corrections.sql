-- Corrections of a recipient of a decided list (Money 4.14). No release wrote to this table before.
alter table recipient_corrections drop constraint recipient_corrections_four_eyes;
drop index recipient_corrections_open;
alter table recipient_corrections rename column approved_by to decided_by;
alter table recipient_corrections rename column approved_at to decided_at;
alter table recipient_corrections
  add column state text not null default 'proposed',
  add column reason text not null,
  add constraint recipient_corrections_state check (state in ('proposed', 'approved', 'refused')),
  add constraint recipient_corrections_decided
    check ((state = 'proposed') = (decided_by is null) and (state = 'proposed') = (decided_at is null)),
  -- There is no exception: a new number always needs two people, also where one person may do everything else.
  add constraint recipient_corrections_four_eyes check (state <> 'approved' or decided_by <> user_id),
  add constraint recipient_corrections_reason check (reason ~ '\S'),
  -- Both are empty once the person is erased.
  add constraint recipient_corrections_changes check (new_values <> old_values or old_values = '{}');
create unique index recipient_corrections_open on recipient_corrections (master_list_id) where state = 'proposed';
create index recipient_corrections_approved on recipient_corrections (master_list_id, id) where state = 'approved';

-- The correction that a payment goes by, and went by in each of its attempts; null if it goes by the list.
alter table transfer_payrolls add column correction_id bigint references recipient_corrections (id);
alter table payment_attempts add column correction_id bigint references recipient_corrections (id);

-- The recipient of a row of a list: as it was approved with the list, or by its latest approved correction.
create function recipient_of(entry bigint) returns table (
  correction_id bigint, first_name text, last_name text, phone text, account text, bank text
) language sql stable as $$
  select k.id,
    case when k.id is null then m.receiver_first_name else k.new_values->>'receiver_first_name' end,
    case when k.id is null then m.receiver_last_name else k.new_values->>'receiver_last_name' end,
    case when k.id is null then m.receiver_phone_number else k.new_values->>'receiver_phone_number' end,
    case when k.id is null then m.receiver_account else k.new_values->>'receiver_account' end,
    case when k.id is null then m.receiver_bank else k.new_values->>'receiver_bank' end
  from transfer_master_list m
  left join lateral (
    select id, new_values from recipient_corrections
    where master_list_id = m.id and state = 'approved' order by id desc limit 1
  ) k on true
  where m.id = entry
$$;

-- A correction is proposed for a recipient of whom a payment has failed. Values that it does not name stay as they are.
create function correction_is_proposed() returns trigger language plpgsql as $$
begin
  perform from transfer_payrolls
    where master_list_id = new.master_list_id and status = 'failed' and written_off_at is null for update;
  if not found or new.state <> 'proposed' then
    raise exception 'no payment of recipient % has failed', new.master_list_id
      using errcode = 'check_violation', constraint = 'recipient_corrections_failed';
  end if;
  select jsonb_build_object('receiver_first_name', r.first_name, 'receiver_last_name', r.last_name,
      'receiver_phone_number', r.phone, 'receiver_account', r.account, 'receiver_bank', r.bank)
    into new.old_values from recipient_of(new.master_list_id) r;
  new.new_values := new.old_values || new.new_values;
  if new.new_values - array(select jsonb_object_keys(new.old_values)) <> '{}'
    or coalesce(new.new_values->>'receiver_phone_number', new.new_values->>'receiver_account') is null
    or new.new_values->>'receiver_first_name' is null or new.new_values->>'receiver_last_name' is null then
    raise exception 'a correction of recipient % is not complete', new.master_list_id
      using errcode = 'check_violation', constraint = 'recipient_corrections_values';
  end if;
  return new;
end $$;
create trigger correction_is_proposed before insert on recipient_corrections
  for each row execute function correction_is_proposed();

-- It is decided once, and not approved while a hold queries the agencies about the payments of this recipient.
-- Its values are emptied with the recipient, and nothing else of it (Access 7).
create function correction_is_decided() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.old_values = '{}' and new.new_values = '{}' and (new.id, new.master_list_id, new.state,
      new.user_id, new.created_at, new.decided_by, new.decided_at)
      is not distinct from (old.id, old.master_list_id, old.state, old.user_id, old.created_at, old.decided_by, old.decided_at)
    and exists (select from transfer_master_list m where m.id = new.master_list_id and m.erased_at is not null) then
    return new;
  end if;
  if tg_op = 'DELETE' or old.state <> 'proposed'
    or (new.id, new.master_list_id, new.old_values, new.new_values, new.reason, new.user_id, new.created_at)
      is distinct from (old.id, old.master_list_id, old.old_values, old.new_values, old.reason, old.user_id, old.created_at) then
    raise exception 'correction % stays as it was proposed and decided', old.id using errcode = 'check_violation';
  end if;
  perform from sending_marks for share;
  if new.state = 'approved' and exists (select from sending_holds where released_at is null) then
    raise exception 'correction % cannot be approved while sending is held', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger correction_is_decided before update or delete on recipient_corrections
  for each row execute function correction_is_decided();

-- Failed payments go by an approved correction from then on. Their attempts so far keep what they went by.
create function correct_failed_payments() returns trigger language plpgsql as $$
begin
  update transfer_payrolls p set correction_id = new.id,
    receiver_first_name = new.new_values->>'receiver_first_name',
    receiver_last_name = new.new_values->>'receiver_last_name',
    receiver_phone_number = new.new_values->>'receiver_phone_number',
    receiver_account = new.new_values->>'receiver_account',
    receiver_bank = new.new_values->>'receiver_bank', updated_at = now()
  where p.master_list_id = new.master_list_id and p.status = 'failed' and p.written_off_at is null;
  return null;
end $$;
create trigger correct_failed_payments after update on recipient_corrections
  for each row when (old.state = 'proposed' and new.state = 'approved') execute function correct_failed_payments();

-- A payment is a copy of its row of the list, with the latest approved correction of its recipient.
create or replace function payments_are_of_the_list() returns trigger language plpgsql as $$
begin
  if exists (
    select from added p
    join transfer_payroll_groups g on g.id = p.payroll_group_id
    join transfer_master_list m on m.id = p.master_list_id
    cross join lateral recipient_of(m.id) r
    where m.cohort_id <> g.cohort_id
      or (p.correction_id, p.receiver_phone_number, p.receiver_account, p.receiver_bank, p.amount, p.fees)
        is distinct from (r.correction_id, r.phone, r.account, r.bank, m.amount, m.fees)
  ) then
    raise exception 'a payment differs from its row of the list' using errcode = 'check_violation', constraint = 'transfer_payrolls_of_list';
  end if;
  return null;
end $$;

-- Only an approved correction changes whom a payment pays, and only while it has failed: no order is on its way then.
create or replace function payment_keeps_its_recipient() returns trigger language plpgsql as $$
begin
  if old.status = 'failed' and new.status = 'failed' and new.written_off_at is null and new.fees = old.fees
    and new.correction_id is not null and exists (
      select from recipient_of(new.master_list_id) r
      where (r.correction_id, r.first_name, r.last_name, r.phone, r.account, r.bank) is not distinct from
        (new.correction_id, new.receiver_first_name, new.receiver_last_name, new.receiver_phone_number,
          new.receiver_account, new.receiver_bank))
  then
    return new;
  end if;
  raise exception 'payment % cannot change whom it pays', old.id using errcode = 'check_violation', constraint = 'transfer_payrolls_of_list';
end $$;
drop trigger payment_keeps_its_recipient on transfer_payrolls;
create trigger payment_keeps_its_recipient before update on transfer_payrolls for each row
  when ((old.correction_id, old.receiver_first_name, old.receiver_last_name, old.receiver_phone_number, old.receiver_account,
      old.receiver_bank, old.fees)
    is distinct from (new.correction_id, new.receiver_first_name, new.receiver_last_name, new.receiver_phone_number,
      new.receiver_account, new.receiver_bank, new.fees)
    and not (new.erased_at is not null and new.erased_at is distinct from old.erased_at and new.fees = old.fees
      and new.correction_id is not distinct from old.correction_id))
  execute function payment_keeps_its_recipient();

-- An attempt records what it goes by, for good.
create or replace function attempt_key() returns trigger language plpgsql as $$
begin
  select payment_key(p.reference, new.n), p.correction_id into new.idempotency_key, new.correction_id
    from transfer_payrolls p where p.id = new.payroll_id;
  return new;
end $$;
create function attempt_keeps_its_recipient() returns trigger language plpgsql as $$
begin
  raise exception 'attempt % cannot change whom it pays', old.id using errcode = 'check_violation';
end $$;
create trigger attempt_keeps_its_recipient before update on payment_attempts for each row
  when (old.correction_id is distinct from new.correction_id) execute function attempt_keeps_its_recipient();
