-- Sums of money events by round, agency, kind, status and day of UTC, which accounting reads instead of all events. Events are only
-- added, so a sum only grows: a trigger adds one row per statement and group, and a worker adds the rows up (decision 160).
create table money_totals (
  id bigint primary key generated always as identity,
  payroll_group_id bigint not null,
  agency_id bigint not null,
  kind text not null,
  status text not null,
  day date not null,
  events bigint not null,
  amount bigint not null,
  fees bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
create index money_totals_key on money_totals (payroll_group_id, agency_id, kind, status, day);

create function sum_money_events() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into money_totals (payroll_group_id, agency_id, kind, status, day, events, amount, fees)
  select payroll_group_id, agency_id, kind, status, (created_at at time zone 'utc')::date, count(*), sum(amount), sum(fees)
  from added group by 1, 2, 3, 4, 5;
  return null;
end $$;

-- Adds all events up again. Whoever writes events meanwhile waits with their sums until it is over. `npm run totals:rebuild` does it.
create function recount_money_events() returns void language plpgsql as $$
begin
  lock table money_totals in share row exclusive mode;
  delete from money_totals;
  insert into money_totals (payroll_group_id, agency_id, kind, status, day, events, amount, fees)
  select payroll_group_id, agency_id, kind, status, (created_at at time zone 'utc')::date, count(*), sum(amount), sum(fees)
  from money_events group by 1, 2, 3, 4, 5;
end $$;

-- Making a trigger locks its table against writers until the end, so nothing is added before the count below.
create trigger money_events_sum after insert on money_events
  referencing new table as added for each statement execute function sum_money_events();

select recount_money_events();
