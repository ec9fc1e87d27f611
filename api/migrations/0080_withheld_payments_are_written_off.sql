-- Payments of a round that were ended before they were sent: written off while they waited, or after a hold had withheld them. No agency
-- refused them, and they do not make a round one that has begun. Those of a hold were counted as begun, so that a late round was sent.
create or replace function cancelled_payments(round_id bigint, written_off integer) returns bigint language sql stable as $$
  select case written_off when 0 then 0 else (select count(*) from transfer_payrolls p
    where p.payroll_group_id = round_id and p.status = 'failed' and p.written_off_at is not null
      and (p.failure_reason = 'cancelled' or p.withheld_at is not null)) end
$$;
