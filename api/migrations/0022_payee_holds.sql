-- Payees on hold: nothing is paid for these girls until a person releases them or the last day has passed (Money 4.16). This is
-- not a hold of sending (Money 8.1), which stops all payments after a discontinuity.
create table payee_holds (
  id bigint primary key generated always as identity,
  student_id bigint not null references students (id),
  reason text not null,
  case_id bigint references cases (id),
  -- The last day of the hold, in UTC; null until somebody releases it.
  ends_on date,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  released_at timestamptz,
  -- Null if it ended by itself after its last day.
  released_by bigint references users (id),
  constraint payee_holds_reason check (reason ~ '\S'),
  constraint payee_holds_ends_on check (ends_on >= (created_at at time zone 'utc')::date),
  constraint payee_holds_released check (released_by is null or released_at is not null),
  constraint payee_holds_ended check (released_at is null or released_by is not null or ends_on < (released_at at time zone 'utc')::date)
);
create unique index payee_holds_open on payee_holds (student_id) where released_at is null;
create index payee_holds_newest on payee_holds (created_at, id);
create index payee_holds_case on payee_holds (case_id);

create function payee_is_held(student bigint) returns boolean language sql stable as $$
  select exists (select from payee_holds where student_id = student and released_at is null
    and (ends_on is null or ends_on >= (now() at time zone 'utc')::date))
$$;

-- The girl of a row of a list.
create function payee_of(entry bigint) returns bigint language sql stable as $$
  select student_id from transfer_master_list where id = entry
$$;

-- A failed payment that was not sent, or not sent again, because its payee was on hold. It counts as arrears.
alter table transfer_payrolls add column withheld_at timestamptz,
  add constraint transfer_payrolls_withheld check (withheld_at is null or status = 'failed');
alter table transfer_payroll_groups add column withheld integer not null default 0,
  add column withheld_amount bigint not null default 0,
  drop constraint transfer_payroll_groups_written_off,
  add constraint transfer_payroll_groups_apart
    check (least(withheld, withheld_amount, written_off) >= 0 and withheld + written_off <= failed and withheld_amount <= failed_amount);

create or replace function payroll_counters() returns trigger language plpgsql as $$
begin
  update transfer_payroll_groups g set
    total = g.total + d.total,
    pending = g.pending + d.pending,
    sending = g.sending + d.sending,
    success = g.success + d.success,
    failed = g.failed + d.failed,
    unknown = g.unknown + d.unknown,
    expected_amount = g.expected_amount + d.expected_amount,
    pending_amount = g.pending_amount + d.pending_amount,
    success_amount = g.success_amount + d.success_amount,
    failed_amount = g.failed_amount + d.failed_amount,
    unknown_amount = g.unknown_amount + d.unknown_amount,
    written_off = g.written_off + d.written_off,
    withheld = g.withheld + d.withheld,
    withheld_amount = g.withheld_amount + d.withheld_amount,
    written_off_amount = g.written_off_amount + d.written_off_amount,
    success_fees = g.success_fees + d.success_fees,
    executed_at = case when g.pending + d.pending + g.sending + d.sending = 0 then coalesce(g.executed_at, now()) end
  from (
    select payroll_group_id,
      sum(sign) as total,
      coalesce(sum(sign) filter (where status = 'pending'), 0) as pending,
      coalesce(sum(sign) filter (where status = 'sending'), 0) as sending,
      coalesce(sum(sign) filter (where status = 'success'), 0) as success,
      coalesce(sum(sign) filter (where status = 'failed'), 0) as failed,
      coalesce(sum(sign) filter (where status = 'unknown'), 0) as unknown,
      coalesce(sum(sign) filter (where written_off_at is not null), 0) as written_off,
      coalesce(sum(sign) filter (where withheld_at is not null and written_off_at is null), 0) as withheld,
      coalesce(sum(sign * amount) filter (where withheld_at is not null and written_off_at is null), 0) as withheld_amount,
      sum(sign * amount) as expected_amount,
      coalesce(sum(sign * amount) filter (where status in ('pending', 'sending')), 0) as pending_amount,
      coalesce(sum(sign * amount) filter (where status = 'success'), 0) as success_amount,
      coalesce(sum(sign * amount) filter (where status = 'failed' and written_off_at is null), 0) as failed_amount,
      coalesce(sum(sign * amount) filter (where status = 'unknown'), 0) as unknown_amount,
      coalesce(sum(sign * amount) filter (where written_off_at is not null), 0) as written_off_amount,
      coalesce(sum(sign * fees) filter (where status = 'success'), 0) as success_fees
    from (
      select 1 as sign, payroll_group_id, status, amount, fees, written_off_at, withheld_at from added
      union all
      select -1, payroll_group_id, status, amount, fees, written_off_at, withheld_at from removed
    ) changes
    group by payroll_group_id
  ) d
  where g.id = d.payroll_group_id;
  return null;
end $$;

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
        and exists (select 1 from payment_attempts a where a.payroll_id = new.id and a.state = 'pending'))
  ) then
    raise exception 'payment % cannot go from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if new.amount <> old.amount or new.payroll_group_id <> old.payroll_group_id or new.master_list_id <> old.master_list_id then
    raise exception 'payment % cannot change what it pays', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- A payment is withheld while its payee is on hold, and not any more once it is made again.
create function withheld_by_a_hold() returns trigger language plpgsql as $$
begin
  if new.withheld_at is null then
    if new.status <> 'pending' then
      raise exception 'payment % stays withheld until it is made again', old.id using errcode = 'check_violation';
    end if;
  elsif old.withheld_at is not null or old.status not in ('pending', 'sending') or not payee_is_held(payee_of(new.master_list_id)) then
    raise exception 'payment % is not of a payee on hold', old.id
      using errcode = 'check_violation', constraint = 'transfer_payrolls_withheld';
  end if;
  return new;
end $$;
create trigger withheld_by_a_hold before update on transfer_payrolls for each row
  when (old.withheld_at is distinct from new.withheld_at) execute function withheld_by_a_hold();

-- An order that left is brought to its end. One that the agency certainly did not execute is not sent again during a hold.
create function payee_hold_applies() returns trigger language plpgsql as $$
begin
  if payee_is_held(payee_of(new.master_list_id)) then
    new.status := 'failed';
    new.failure_reason := 'withheld';
    new.withheld_at := now();
  end if;
  return new;
end $$;
create trigger payee_hold_applies before update on transfer_payrolls for each row
  when (old.status = 'sending' and new.status = 'pending') execute function payee_hold_applies();

-- New rounds do not pay payees on hold. The name puts it after the counters of the insert.
create function withhold_new_payments() returns trigger language plpgsql as $$
begin
  update transfer_payrolls p set status = 'failed', failure_reason = 'withheld', withheld_at = now(), updated_at = now()
  from added a join transfer_master_list m on m.id = a.master_list_id
    join payee_holds h on h.student_id = m.student_id and h.released_at is null
      and (h.ends_on is null or h.ends_on >= (now() at time zone 'utc')::date)
  where p.id = a.id;
  return null;
end $$;
create trigger withhold_new_payments after insert on transfer_payrolls
  referencing new table as added for each statement execute function withhold_new_payments();

-- The cohorts are locked, as they are while a round is made or payments are made again. Payments on their way are locked too,
-- so that whoever settles one of them sees the hold.
create function payee_hold_begins() returns trigger language plpgsql as $$
begin
  if new.released_at is not null then
    raise exception 'a hold begins open' using errcode = 'check_violation';
  end if;
  perform from sending_marks for share;
  perform from transfer_cohorts where id in (select cohort_id from transfer_master_list where student_id = new.student_id)
    order by id for update;
  perform from transfer_payrolls where master_list_id in (select id from transfer_master_list where student_id = new.student_id)
    and status in ('pending', 'sending') order by id for update;
  return new;
end $$;
create trigger payee_hold_begins before insert on payee_holds for each row execute function payee_hold_begins();

create function withhold_waiting_payments() returns trigger language plpgsql as $$
begin
  update transfer_payrolls p set status = 'failed', failure_reason = 'withheld', withheld_at = now(), updated_at = now()
  where p.master_list_id in (select id from transfer_master_list where student_id = new.student_id) and p.status = 'pending';
  return null;
end $$;
create trigger withhold_waiting_payments after insert on payee_holds for each row execute function withhold_waiting_payments();

-- A hold ends once and changes in no other way. It is deleted only with the person whom it is about (Access 7).
create function payee_hold_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from transfer_master_list where student_id = old.student_id and erased_at is null) then
      raise exception 'hold % stays as long as its payee', old.id using errcode = 'check_violation';
    end if;
    return old;
  end if;
  if old.released_at is not null or new.released_at is null
    or (new.id, new.student_id, new.reason, new.case_id, new.ends_on, new.user_id, new.created_at)
      is distinct from (old.id, old.student_id, old.reason, old.case_id, old.ends_on, old.user_id, old.created_at) then
    raise exception 'hold % ends once and does not change', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payee_hold_is_kept before update or delete on payee_holds for each row execute function payee_hold_is_kept();

-- Payments of a payee on hold are not written off: the hold is decided on first.
create or replace function write_off_is_allowed() returns trigger language plpgsql as $$
declare payment record;
begin
  perform from sending_marks for share;
  select p.amount, p.status, p.written_off_at, p.master_list_id, g.cohort_id into payment
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
    where p.id = new.payroll_id for update of p;
  if payment.status is distinct from 'failed' or payment.written_off_at is not null
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
