-- Three ways in which a payment that waits could be sent where nobody looks for it, or although its money may have moved.

-- A withheld payment may have an attempt that waits with its key. It kept the agency of before, which then got no order of it, and the
-- agency that got one was never asked about it. Now it goes along.
create or replace function move_cohort() returns trigger language plpgsql as $$
begin
  update transfer_cohorts set transfer_agency_id = new.to_agency_id where id = new.cohort_id;
  update payment_attempts a set agency_id = new.to_agency_id
  from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
  where g.cohort_id = new.cohort_id and p.status in ('pending', 'failed') and a.payroll_id = p.id and a.state = 'pending';
  return null;
end $$;
update payment_attempts a set agency_id = c.transfer_agency_id
from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id join transfer_cohorts c on c.id = g.cohort_id
where a.state = 'pending' and p.id = a.payroll_id and p.status in ('pending', 'failed') and a.agency_id <> c.transfer_agency_id;

-- An attempt goes to the recipient of its time, for good. One that waits when its recipient is corrected therefore ends, and the
-- payment is made by the next one.
create or replace function correct_failed_payments() returns trigger language plpgsql as $$
begin
  update transfer_payrolls p set correction_id = new.id,
    receiver_first_name = new.new_values->>'receiver_first_name',
    receiver_last_name = new.new_values->>'receiver_last_name',
    receiver_phone_number = new.new_values->>'receiver_phone_number',
    receiver_account = new.new_values->>'receiver_account',
    receiver_bank = new.new_values->>'receiver_bank', updated_at = now()
  where p.master_list_id = new.master_list_id and p.status = 'failed' and p.written_off_at is null;
  update payment_attempts a set state = 'failed', reason = 'cancelled', settled_at = now()
  from transfer_payrolls p
  where p.master_list_id = new.master_list_id and p.correction_id = new.id and p.status = 'failed'
    and a.payroll_id = p.id and a.state = 'pending';
  return null;
end $$;

-- An agency that refused a payment may say afterwards that it paid it (Money 4.8). If the payment was made again and still waits, it is
-- not sent: it fails as before, and a person decides (Money 4.17). The lock orders this and whoever makes it again, claims it or has
-- claimed it.
create function doubt_locks_payment() returns trigger language plpgsql as $$
begin
  perform from transfer_payrolls where id = new.payroll_id for update;
  return new;
end $$;
create trigger doubt_locks_payment before insert on payment_exceptions for each row execute function doubt_locks_payment();

create function doubt_stops_payment() returns trigger language plpgsql as $$
declare refusal text;
begin
  select coalesce(reason, 'refused') into refusal from payment_attempts where id = new.attempt_id and state = 'failed';
  if refusal is null then
    return null;
  end if;
  update transfer_payrolls set status = 'failed', failure_reason = refusal, updated_at = now()
  where id = new.payroll_id and status = 'pending';
  if found then
    update payment_attempts set state = 'failed', reason = 'cancelled', settled_at = now()
    where payroll_id = new.payroll_id and state = 'pending';
  end if;
  return null;
end $$;
create trigger doubt_stops_payment after insert on payment_exceptions for each row execute function doubt_stops_payment();

create or replace function payroll_transition() returns trigger language plpgsql as $$
begin
  if old.status is distinct from new.status and not (
    (old.status = 'pending' and new.status = 'sending')
    or (old.status = 'sending' and new.status in ('pending', 'success', 'failed', 'unknown'))
    or (old.status = 'unknown' and new.status in ('sending', 'success', 'failed'))
    or (old.status = 'pending' and new.status = 'failed' and old.withheld_at is null and new.withheld_at is not null)
    or (old.status = 'pending' and new.status = 'failed' and new.failure_reason = 'cancelled'
        and exists (select from payment_write_offs w where w.payroll_id = new.id))
    or (old.status = 'pending' and new.status = 'failed'
        and exists (select from payment_exceptions e where e.payroll_id = new.id and not e.resolved))
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
