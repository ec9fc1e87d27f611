-- A round of 150,000 payments is made within one call. Half of its time went into functions that were called once for each payment
-- (decision 196). What they checked is checked as before, for all payments of a statement at once.

-- The digest with keys that were read before, so that a statement reads them once.
create function keyed_digest(inner_pad bytea, outer_pad bytea, message text) returns text language sql stable as $$
  select encode(sha256(outer_pad || sha256(inner_pad || convert_to(message, 'utf8'))), 'hex')
$$;
create or replace function payment_digest(message text) returns text language sql stable as $$
  select keyed_digest(inner_pad, outer_pad, message) from installation_identity
$$;

-- The reference of a payment from what it is made of. PostgreSQL puts its expression into the statement that calls it.
create function reference_from(inner_pad bytea, outer_pad bytea, cohort uuid, list_hash text, n integer, student_code text)
returns text language sql stable as $$
  select left(keyed_digest(inner_pad, outer_pad, concat_ws(E'\n', 'reference', cohort, coalesce(list_hash, ''), n, student_code)), 32)
$$;
create or replace function payment_reference(round_id bigint, entry_id bigint) returns text language sql stable as $$
  select reference_from(i.inner_pad, i.outer_pad, c.public_id, c.list_hash, g.n, m.student_code)
  from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id, transfer_master_list m, installation_identity i
  where g.id = round_id and m.id = entry_id
$$;

-- A payment is a copy of its row of the list, with the latest approved correction of its recipient. Its reference is the one that
-- follows from installation, cohort, list, round and student, whoever computed it.
create or replace function payments_are_of_the_list() returns trigger language plpgsql as $$
begin
  if exists (
    with rounds as materialized (
      select g.id, g.cohort_id, g.n, c.public_id, c.list_hash, i.inner_pad, i.outer_pad
      from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id cross join installation_identity i
      where g.id in (select payroll_group_id from added)
    )
    select from added p
    join rounds g on g.id = p.payroll_group_id
    join transfer_master_list m on m.id = p.master_list_id
    cross join lateral recipient_of(m.id) r
    where m.cohort_id <> g.cohort_id
      or (p.correction_id, p.receiver_phone_number, p.receiver_account, p.receiver_bank, p.amount, p.fees, p.reference)
        is distinct from (r.correction_id, r.phone, r.account, r.bank, m.amount, m.fees,
          reference_from(g.inner_pad, g.outer_pad, g.public_id, g.list_hash, g.n, m.student_code))
  ) then
    raise exception 'a payment differs from its row of the list' using errcode = 'check_violation', constraint = 'transfer_payrolls_of_list';
  end if;
  return null;
end $$;

-- The agency of a round is looked up once for each round. Without `offset 0` it would be for each payment.
create or replace function note_expected() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into money_events (kind, payroll_id, payroll_group_id, agency_id, status, amount, fees)
  select 'expected', a.id, a.payroll_group_id, r.agency_id, 'pending', a.amount, a.fees
  from added a join (
    select id, agency_of_round(id) as agency_id from (select distinct payroll_group_id as id from added) d offset 0
  ) r on r.id = a.payroll_group_id
  order by a.id;
  return null;
end $$;

-- Whoever makes payments without a reference, as the release before does, is given it for each. Making a trigger locks the table
-- against writers, so no payment is made between the old triggers and the new ones.
drop trigger payroll_reference on transfer_payrolls;
create trigger payroll_reference before insert on transfer_payrolls
  for each row when (new.reference is null) execute function payroll_reference();
create trigger payroll_keeps_its_reference before update of reference on transfer_payrolls
  for each row execute function payroll_reference();
drop trigger payroll_starts_pending on transfer_payrolls;
create trigger payroll_starts_pending before insert on transfer_payrolls
  for each row when (new.status <> 'pending') execute function payroll_starts_pending();

-- The hash of a cohort's list, over its rows in the order of the file. The text of `json_build_array` is that of `jsonb_build_array`, which
-- made it before, and takes half as long.
create or replace function transfer_list_hash(cohort bigint) returns text language sql stable as $$
  select encode(sha256(convert_to(string_agg(json_build_array("row", receiver_first_name, receiver_last_name,
    receiver_phone_number, receiver_account, receiver_bank, student_code, amount, fees)::text, E'\n' order by "row"), 'utf8')), 'hex')
  from transfer_master_list where cohort_id = cohort
$$;

-- The error has a name, so that an approval can say it.
create or replace function round_is_of_approved_list() returns trigger language plpgsql as $$
begin
  if transfer_list_hash_due(new.cohort_id) is distinct from transfer_list_hash(new.cohort_id) then
    raise exception 'the list of cohort % is not the one that was approved', new.cohort_id
      using errcode = 'check_violation', constraint = 'transfer_payroll_groups_of_list';
  end if;
  return new;
end $$;
