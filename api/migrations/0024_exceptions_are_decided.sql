-- A person closes an exception with a decision (Money 4.17). If the agency answers so again, that is a new exception.
alter table payment_exceptions
  add column decision text,
  add column decision_reason text,
  add column decided_by bigint references users (id),
  add column decided_at timestamptz,
  -- False only if the installation allows one person to do both, as the demo does (Money 6.2).
  add column two_people boolean not null default true,
  drop constraint payment_exceptions_once,
  add constraint payment_exceptions_decision check (decision in ('status_stands', 'money_moved', 'money_missing')),
  add constraint payment_exceptions_decision_reason check (decision_reason ~ '\S'),
  add constraint payment_exceptions_decided
    check (num_nonnulls(decision, decision_reason, decided_by, decided_at) = case when resolved then 4 else 0 end);
create unique index payment_exceptions_once on payment_exceptions (attempt_id, kind, answered) where not resolved;
create index payment_exceptions_newest on payment_exceptions (created_at, id);

-- It is decided once, after the outcome of its payment is final and while no hold of sending asks the agency again. Its texts are
-- emptied with the person (Access 7).
create function exception_is_decided() returns trigger language plpgsql as $$
declare payment record;
begin
  if tg_op = 'DELETE' then
    raise exception 'exception % is never deleted', old.id using errcode = 'insufficient_privilege';
  end if;
  if (new.id, new.payroll_id, new.attempt_id, new.kind, new.created_at) is distinct from
      (old.id, old.payroll_id, old.attempt_id, old.kind, old.created_at)
    or old.resolved and (new.resolved, new.decision, new.decided_by, new.decided_at, new.two_people) is distinct from
      (old.resolved, old.decision, old.decided_by, old.decided_at, old.two_people) then
    raise exception 'exception % is decided once and does not change', old.id using errcode = 'check_violation';
  end if;
  if old.resolved or not new.resolved then
    return new;
  end if;
  perform from sending_marks for share;
  select p.status, p.written_off_at, g.cohort_id into payment
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id where p.id = new.payroll_id for update of p;
  if payment.status not in ('success', 'failed') or exists (select from sending_holds where released_at is null)
    or new.decision = 'money_moved' and payment.status <> 'failed' or new.decision = 'money_missing' and payment.status <> 'success' then
    raise exception 'exception % cannot be closed so', old.id using errcode = 'check_violation', constraint = 'payment_exceptions_final';
  end if;
  if new.two_people and exists (select from cohort_touched_by(payment.cohort_id) t where t.user_id = new.decided_by) then
    raise exception 'exception % is closed by somebody who touched its cohort', old.id
      using errcode = 'check_violation', constraint = 'payment_exceptions_two_people';
  end if;
  return new;
end $$;
create trigger exception_is_decided before update or delete on payment_exceptions
  for each row execute function exception_is_decided();

-- A payment in doubt, or of which a person decided that its money moved, is not made again.
create or replace function payroll_transition() returns trigger language plpgsql as $$
begin
  if old.status is distinct from new.status and not (
    (old.status = 'pending' and new.status = 'sending')
    or (old.status = 'sending' and new.status in ('pending', 'success', 'failed', 'unknown'))
    or (old.status = 'unknown' and new.status in ('sending', 'success', 'failed'))
    or (old.status = 'pending' and new.status = 'failed' and old.withheld_at is null and new.withheld_at is not null)
    or (old.status = 'failed' and new.status = 'pending' and old.written_off_at is null
        -- An agency may report that it paid her; only a hold of sending asks it.
        and (not payee_is_held(payee_of(new.master_list_id)) or exists (select from sending_holds where released_at is null))
        and (exists (select from sending_holds where released_at is null) or not exists (
          select from payment_exceptions e where e.payroll_id = new.id and (not e.resolved or e.decision = 'money_moved')))
        and exists (select 1 from payment_attempts a where a.payroll_id = new.id and a.state = 'pending'))
  ) then
    raise exception 'payment % cannot go from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if new.amount <> old.amount or new.payroll_group_id <> old.payroll_group_id or new.master_list_id <> old.master_list_id then
    raise exception 'payment % cannot change what it pays', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
