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

-- The payments that are left to evidence, by their agency. Nobody is asked about them, so they are no sign that an agency does not answer.
create function outcomes_left_to_evidence() returns table (agency_id bigint, unknown bigint) language sql stable as $$
  select t.agency_id, count(*) from transfer_rounds r
    join transfer_payroll_groups g on g.cohort_id = r.cohort_id and g.n = r.n and g.unknown > 0
    join transfer_payrolls p on p.payroll_group_id = g.id and p.status = 'unknown'
    join payment_attempts t on t.payroll_id = p.id and t.n = 1 and t.state = 'unknown'
  where r.found_paid group by 1
$$;

-- A statement that was compared before the round was recorded found no payment, so it puts none in doubt. Nobody may find a payment not paid
-- that such a statement has as paid: it would be made again and paid twice.
create function not_paid_is_not_stated() returns trigger language plpgsql as $$
begin
  if exists (select from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
      join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_rounds r on r.cohort_id = g.cohort_id and r.n = g.n and r.found_paid
      join statement_lines l on l.reference = p.reference and l.problem is null
      join agency_statements s on s.id = l.statement_id and s.state in ('open', 'closed')
    where a.id = new.attempt_id and a.n = 1) then
    raise exception 'a statement has the payment of attempt % as paid', new.attempt_id
      using errcode = 'check_violation', constraint = 'payment_settlements_stated';
  end if;
  return new;
end $$;
create trigger not_paid_is_not_stated before insert or update on payment_settlements for each row
  when (new.outcome = 'not_paid' and new.state in ('proposed', 'approved')) execute function not_paid_is_not_stated();
