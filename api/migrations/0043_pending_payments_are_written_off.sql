-- A payment that waits to be sent can be written off, too (Money 4.12). It was not sent, so it fails as cancelled and is written off in
-- the same transaction. The lock of its row orders this and a worker that claims it.
create or replace function write_off_is_allowed() returns trigger language plpgsql as $$
declare payment record;
begin
  perform from sending_marks for share;
  select p.amount, p.status, p.written_off_at, p.master_list_id, g.cohort_id into payment
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
    where p.id = new.payroll_id for update of p;
  if payment.status is null or payment.status not in ('pending', 'failed') or payment.written_off_at is not null
    or payee_is_held(payee_of(payment.master_list_id))
    or exists (select from payment_exceptions e where e.payroll_id = new.payroll_id and not e.resolved)
    or exists (select from sending_hold_differences d where d.payroll_id = new.payroll_id and d.kind = 'differs')
    or exists (select from sending_holds where released_at is null) then
    raise exception 'payment % cannot be written off', new.payroll_id
      using errcode = 'check_violation', constraint = 'payment_write_offs_failed';
  end if;
  if new.two_people and exists (select from cohort_touched_by(payment.cohort_id) t where t.user_id = new.user_id) then
    raise exception 'payment % is written off by somebody who touched its cohort', new.payroll_id
      using errcode = 'check_violation', constraint = 'payment_write_offs_two_people';
  end if;
  new.amount := payment.amount;
  return new;
end $$;

create or replace function write_off_payments() returns trigger language plpgsql as $$
begin
  update transfer_payrolls p set status = 'failed', failure_reason = 'cancelled', updated_at = now()
  from added a where p.id = a.payroll_id and p.status = 'pending';
  update payment_attempts t set state = 'failed', reason = 'cancelled', settled_at = now()
  from added a where t.payroll_id = a.payroll_id and t.state = 'pending';
  update transfer_payrolls p set written_off_at = a.created_at, updated_at = now() from added a where p.id = a.payroll_id;
  return null;
end $$;

create or replace function payroll_transition() returns trigger language plpgsql as $$
begin
  if old.status is distinct from new.status and not (
    (old.status = 'pending' and new.status = 'sending')
    or (old.status = 'sending' and new.status in ('pending', 'success', 'failed', 'unknown'))
    or (old.status = 'unknown' and new.status in ('sending', 'success', 'failed'))
    or (old.status = 'pending' and new.status = 'failed' and old.withheld_at is null and new.withheld_at is not null)
    or (old.status = 'pending' and new.status = 'failed' and new.failure_reason = 'cancelled'
        and exists (select from payment_write_offs w where w.payroll_id = new.id))
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

-- An event of its own for the payment that fails without having been sent.
alter table money_events drop constraint money_events_kind, add constraint money_events_kind check (case kind
    when 'expected' then status_before is null and status = 'pending'
    when 'opening' then status_before = 'pending' and status <> 'pending'
    when 'instructed' then status_before = 'pending' and status = 'sending'
    when 'returned' then status_before = 'sending' and status = 'pending'
    when 'unknown' then status_before = 'sending' and status = 'unknown'
    when 'waiting' then status_before = 'unknown' and status = 'sending'
    when 'paid' then status_before in ('sending', 'unknown') and status = 'success'
    when 'failed' then status_before in ('pending', 'sending', 'unknown') and status = 'failed'
    when 'settled' then status_before in ('sending', 'unknown') and status in ('success', 'failed')
    when 'withheld' then status_before in ('pending', 'sending') and status = 'failed'
    when 'released' then status_before = 'failed' and status = 'pending'
    when 'retried' then status_before = 'failed' and status = 'pending'
    when 'corrected' then status_before = 'failed' and status = 'failed'
    when 'written_off' then status_before = 'failed' and status = 'failed'
    when 'moved' then status_before = 'pending' and status = 'pending'
    when 'fee_corrected' then status_before = status
    when 'confirmed' then status_before = status
    when 'unconfirmed' then status_before = status
    else false end);

-- Payments of a round that were written off before they were sent. They do not make a round one that has begun.
create function cancelled_payments(round_id bigint, written_off integer) returns bigint language sql stable as $$
  select case written_off when 0 then 0 else (select count(*) from transfer_payrolls p
    where p.payroll_group_id = round_id and p.status = 'failed' and p.failure_reason = 'cancelled') end
$$;
