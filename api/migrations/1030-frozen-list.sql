-- What was approved is what is paid: the list of a decided cohort is frozen, and payments are copies of its rows.

-- The hash of a cohort's list, over its rows in the file's order: what an approver decides on.
create function transfer_list_hash(cohort bigint) returns text language sql stable as $$
  select encode(sha256(convert_to(string_agg(jsonb_build_array("row", receiver_first_name, receiver_last_name,
    receiver_phone_number, receiver_account, receiver_bank, student_code, amount, fees)::text, E'\n' order by "row"), 'utf8')), 'hex')
  from transfer_master_list where cohort_id = cohort
$$;

-- Demos of before had hashes of their own making; real lists keep the hash of their import.
update transfer_cohorts set list_hash = transfer_list_hash(id)
where exists (select from installation where filled_as = 'demo');

-- The cohort's row is locked, so that a change and an approval at once come one after the other.
create function refuse_decided_lists(cohorts bigint[]) returns void language plpgsql as $$
declare decided bigint;
begin
  select id into decided from (
    select id, status from transfer_cohorts where id = any(cohorts) order by id for share
  ) locked where status <> 'pending' limit 1;
  if decided is not null then
    raise exception 'the list of cohort % is frozen', decided using errcode = 'check_violation', constraint = 'transfer_master_list_frozen';
  end if;
end $$;

create function list_is_frozen_insert() returns trigger language plpgsql as $$
begin
  perform refuse_decided_lists(array(select distinct cohort_id from added));
  return null;
end $$;
create function list_is_frozen_update() returns trigger language plpgsql as $$
begin
  perform refuse_decided_lists(array(select cohort_id from added union select cohort_id from removed));
  return null;
end $$;
create function list_is_frozen_delete() returns trigger language plpgsql as $$
begin
  perform refuse_decided_lists(array(select distinct cohort_id from removed));
  return null;
end $$;
create trigger list_is_frozen_insert after insert on transfer_master_list
  referencing new table as added for each statement execute function list_is_frozen_insert();
create trigger list_is_frozen_update after update on transfer_master_list
  referencing new table as added old table as removed for each statement execute function list_is_frozen_update();
create trigger list_is_frozen_delete after delete on transfer_master_list
  referencing old table as removed for each statement execute function list_is_frozen_delete();

-- What the approver saw of the cohort itself stays too.
create function cohort_is_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'the list of cohort % is frozen', old.id using errcode = 'check_violation', constraint = 'transfer_cohorts_frozen';
end $$;
create trigger cohort_is_frozen before update on transfer_cohorts for each row
  when (old.status <> 'pending' and (old.list_hash, old.master_list_count, old.list_amount, old.list_fees, old.import_id,
    old.transfer_agency_id, old.transfer_parameter_id, old.public_id) is distinct from (new.list_hash, new.master_list_count, new.list_amount,
    new.list_fees, new.import_id, new.transfer_agency_id, new.transfer_parameter_id, new.public_id))
  execute function cohort_is_frozen();

-- No round is made of a list that is not the one whose hash was approved.
create function round_is_of_approved_list() returns trigger language plpgsql as $$
begin
  if not exists (select from transfer_cohorts where id = new.cohort_id and list_hash = transfer_list_hash(id)) then
    raise exception 'the list of cohort % is not the one that was approved', new.cohort_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger round_is_of_approved_list before insert on transfer_payroll_groups
  for each row execute function round_is_of_approved_list();

-- A payment is a copy of its row of the list, and stays one.
create function payments_are_of_the_list() returns trigger language plpgsql as $$
begin
  if exists (
    select from added p
    join transfer_payroll_groups g on g.id = p.payroll_group_id
    join transfer_master_list m on m.id = p.master_list_id
    where m.cohort_id <> g.cohort_id or (p.receiver_phone_number, p.receiver_account, p.receiver_bank, p.amount, p.fees)
      is distinct from (m.receiver_phone_number, m.receiver_account, m.receiver_bank, m.amount, m.fees)
  ) then
    raise exception 'a payment differs from its row of the list' using errcode = 'check_violation', constraint = 'transfer_payrolls_of_list';
  end if;
  return null;
end $$;
create trigger payments_are_of_the_list after insert on transfer_payrolls
  referencing new table as added for each statement execute function payments_are_of_the_list();

create function payment_keeps_its_recipient() returns trigger language plpgsql as $$
begin
  raise exception 'payment % cannot change whom it pays', old.id using errcode = 'check_violation', constraint = 'transfer_payrolls_of_list';
end $$;
create trigger payment_keeps_its_recipient before update on transfer_payrolls for each row
  when ((old.receiver_first_name, old.receiver_last_name, old.receiver_phone_number, old.receiver_account, old.receiver_bank, old.fees)
    is distinct from (new.receiver_first_name, new.receiver_last_name, new.receiver_phone_number, new.receiver_account,
    new.receiver_bank, new.fees))
  execute function payment_keeps_its_recipient();
