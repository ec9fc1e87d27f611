-- How many of the failed payments of a round are written off, so that its pages can tell them apart without counting.
alter table transfer_payroll_groups add column written_off integer not null default 0;

update transfer_payroll_groups g set written_off = w.n
from (select payroll_group_id, count(*) as n from transfer_payrolls where written_off_at is not null group by 1) w
where w.payroll_group_id = g.id;

alter table transfer_payroll_groups add constraint transfer_payroll_groups_written_off
  check (written_off between 0 and failed);

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
