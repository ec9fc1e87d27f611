-- The agency of a round that may have been paid (0097) answered that it has paid it. Nothing could record that: the round stayed missed, and
-- its money was in no ledger. Now an approver records it. Its payments are unknown until the agency's statement or a person's evidence
-- settles them, and nothing of it is sent (Money 8.4).
alter table transfer_rounds add column found_paid boolean not null default false;
-- The column is new and false in every row, and the table has one row for each round.
-- squawk-ignore constraint-missing-not-valid
alter table transfer_rounds add constraint transfer_rounds_found_paid check (not found_paid or confirmed_by is not null);

-- What a person has recorded stands. Whatever the code does, no payment of such a round waits to be sent once it is made.
create function found_paid_stays() returns trigger language plpgsql as $$
begin
  raise exception 'round % of cohort % was found paid', old.n, old.cohort_id using errcode = 'check_violation';
end $$;
create trigger found_paid_stays before update on transfer_rounds for each row
  when (old.found_paid and not new.found_paid) execute function found_paid_stays();

create function found_paid_sends_nothing() returns trigger language plpgsql as $$
begin
  if exists (select from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id
      where g.cohort_id = new.cohort_id and g.n = new.n and p.status <> 'unknown') then
    raise exception 'round % of cohort % was found paid, and a payment of it is not left to evidence', new.n, new.cohort_id
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger found_paid_sends_nothing after update on transfer_rounds deferrable initially deferred for each row
  when (new.found_paid and not old.found_paid) execute function found_paid_sends_nothing();

-- A girl on hold is withheld what is still to be sent to her. Of a round that was paid, her money has left.
create or replace function withhold_new_payments() returns trigger language plpgsql as $$
begin
  update transfer_payrolls p set status = 'failed', failure_reason = 'withheld', withheld_at = now(), updated_at = now()
  from added a join transfer_master_list m on m.id = a.master_list_id
    join payee_holds h on h.student_id = m.student_id and h.released_at is null
      and (h.ends_on is null or h.ends_on >= (now() at time zone 'utc')::date)
  where p.id = a.id and not exists (
    select from transfer_payroll_groups g join transfer_rounds r on r.cohort_id = g.cohort_id and r.n = g.n
    where g.id = a.payroll_group_id and r.found_paid);
  return null;
end $$;
