-- Rules of money that hold whatever the code does: docs/rules/money.md.

-- Round counters follow their entries in the same transaction: one update per statement and round.
create function payroll_counters() returns trigger language plpgsql as $$
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
      sum(sign * amount) as expected_amount,
      coalesce(sum(sign * amount) filter (where status in ('pending', 'sending')), 0) as pending_amount,
      coalesce(sum(sign * amount) filter (where status = 'success'), 0) as success_amount,
      coalesce(sum(sign * amount) filter (where status = 'failed' and written_off_at is null), 0) as failed_amount,
      coalesce(sum(sign * amount) filter (where status = 'unknown'), 0) as unknown_amount,
      coalesce(sum(sign * amount) filter (where written_off_at is not null), 0) as written_off_amount,
      coalesce(sum(sign * fees) filter (where status = 'success'), 0) as success_fees
    from (
      select 1 as sign, payroll_group_id, status, amount, fees, written_off_at from added
      union all
      select -1, payroll_group_id, status, amount, fees, written_off_at from removed
    ) changes
    group by payroll_group_id
  ) d
  where g.id = d.payroll_group_id;
  return null;
end $$;

-- An insert has no old rows to name, and what is new is always pending.
create function payroll_counters_insert() returns trigger language plpgsql as $$
begin
  update transfer_payroll_groups g set
    total = g.total + d.total, pending = g.pending + d.total,
    expected_amount = g.expected_amount + d.amount, pending_amount = g.pending_amount + d.amount
  from (select payroll_group_id, count(*) as total, sum(amount) as amount from added group by payroll_group_id) d
  where g.id = d.payroll_group_id;
  return null;
end $$;

create trigger payroll_counters_insert after insert on transfer_payrolls
  referencing new table as added for each statement execute function payroll_counters_insert();
create trigger payroll_counters_update after update on transfer_payrolls
  referencing new table as added old table as removed for each statement execute function payroll_counters();

-- Entries begin as pending; success is final; what is failed moves on only with a new attempt (checked below); none is deleted.
create function payroll_transition() returns trigger language plpgsql as $$
begin
  if old.status is distinct from new.status and not (
    (old.status = 'pending' and new.status = 'sending')
    or (old.status = 'sending' and new.status in ('pending', 'success', 'failed', 'unknown'))
    or (old.status = 'unknown' and new.status in ('sending', 'success', 'failed'))
    or (old.status = 'failed' and new.status = 'pending' and old.written_off_at is null
        and exists (select 1 from payment_attempts a where a.payroll_id = new.id and a.state = 'pending'))
  ) then
    raise exception 'payment % cannot go from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if new.amount <> old.amount or new.payroll_group_id <> old.payroll_group_id or new.master_list_id <> old.master_list_id then
    raise exception 'payment % cannot change what it pays', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payroll_transition before update on transfer_payrolls for each row execute function payroll_transition();

create function payroll_starts_pending() returns trigger language plpgsql as $$
begin
  if new.status <> 'pending' then
    raise exception 'a payment starts pending' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payroll_starts_pending before insert on transfer_payrolls for each row execute function payroll_starts_pending();

-- An attempt's key never changes; success and failed are final.
create function attempt_transition() returns trigger language plpgsql as $$
begin
  if new.idempotency_key <> old.idempotency_key or new.payroll_id <> old.payroll_id or new.n <> old.n then
    raise exception 'attempt % cannot change its key', old.id using errcode = 'check_violation';
  end if;
  if old.state in ('success', 'failed') then
    raise exception 'attempt % is final', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger attempt_transition before update on payment_attempts for each row execute function attempt_transition();

-- A second attempt needs the one before it to be failed.
create function attempt_follows_refusal() returns trigger language plpgsql as $$
begin
  if new.n > 1 and not exists (
    select 1 from payment_attempts a where a.payroll_id = new.payroll_id and a.n = new.n - 1 and a.state = 'failed'
  ) then
    raise exception 'attempt % of payment % needs a refused one before it', new.n, new.payroll_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger attempt_follows_refusal before insert on payment_attempts for each row execute function attempt_follows_refusal();

-- Nothing that moved money is ever deleted; a cohort whose import failed has no rounds and may go.
create function money_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never deleted', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger money_is_kept before delete on transfer_payroll_groups for each row execute function money_is_kept();
create trigger money_is_kept before delete on transfer_payrolls for each row execute function money_is_kept();
create trigger money_is_kept before delete on payment_attempts for each row execute function money_is_kept();

-- Cohorts: Money 5.1.
create function cohort_transition() returns trigger language plpgsql as $$
begin
  if old.status is distinct from new.status and not (
    (old.status = 'pending' and new.status in ('approved', 'rejected'))
    or (old.status = 'approved' and new.status = 'error')
    or (old.status = 'error' and new.status = 'approved')
  ) then
    raise exception 'cohort % cannot go from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger cohort_transition before update on transfer_cohorts for each row execute function cohort_transition();
