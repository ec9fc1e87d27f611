-- Totals by month of UTC, which is the time of both countries. A total is the sum of its rows here: triggers insert one row
-- per statement with the difference, so that writers do not wait for each other, and a worker adds them up.

-- Payments that arrived, by the month in which their success was settled, with what their recipients got in whole francs.
create table payments_by_month (
  id bigint primary key generated always as identity,
  month date not null,
  payments bigint not null,
  amount bigint not null,
  constraint payments_by_month_month check (extract(day from month) = 1)
);
create index payments_by_month_month_index on payments_by_month (month);

-- Present and enrolled by the month of the day, of the reports that count: the latest of each key, unless it was withdrawn.
create table attendance_by_month (
  id bigint primary key generated always as identity,
  month date not null,
  who text not null,
  present bigint not null,
  enrolled bigint not null,
  constraint attendance_by_month_month check (extract(day from month) = 1),
  constraint attendance_by_month_who check (who in ('learners', 'teachers'))
);
create index attendance_by_month_month_index on attendance_by_month (month);

create function utc_month(moment timestamptz) returns date language sql immutable parallel safe as $$
  select date_trunc('month', moment at time zone 'utc')::date
$$;

-- A successful attempt is final, a payment has at most one, and none is deleted. So each is counted once, when it appears.
-- Payments are looked up one by one (`offset 0`): a plan that was cached while the table was small would scan all of it.
create function count_paid() returns trigger language plpgsql as $$
begin
  insert into payments_by_month (month, payments, amount)
  select utc_month(coalesce(a.settled_at, now())), count(*), sum(p.amount)
  from added a, lateral (select amount from transfer_payrolls where id = a.payroll_id offset 0) p
  where a.state = 'success' group by 1;
  return null;
end $$;

-- Inserts and deletes have functions of their own, because they have only one transition table.
create function count_reported() returns trigger language plpgsql as $$
begin
  insert into attendance_by_month (month, who, present, enrolled)
  select date_trunc('month', date)::date, who, sum(present), sum(enrolled)
  from added where not withdrawn group by 1, 2;
  return null;
end $$;

create function count_unreported() returns trigger language plpgsql as $$
begin
  insert into attendance_by_month (month, who, present, enrolled)
  select date_trunc('month', date)::date, who, -sum(present), -sum(enrolled)
  from removed where not withdrawn group by 1, 2;
  return null;
end $$;

create function count_reported_again() returns trigger language plpgsql as $$
begin
  insert into attendance_by_month (month, who, present, enrolled)
  select date_trunc('month', date)::date, who, sum(sign * present), sum(sign * enrolled)
  from (
    select 1 as sign, date, who, present, enrolled, withdrawn from added
    union all
    select -1, date, who, present, enrolled, withdrawn from removed
  ) changes
  where not withdrawn group by 1, 2
  having sum(sign * present) <> 0 or sum(sign * enrolled) <> 0;
  return null;
end $$;

create function forget_months() returns trigger language plpgsql as $$
begin
  execute format('delete from %I', tg_argv[0]);
  return null;
end $$;

-- Making a trigger locks its table against writers until the end, so nothing changes before the count below.
create trigger attempts_by_month_in after insert on payment_attempts
  referencing new table as added for each statement execute function count_paid();
create trigger attempts_by_month after update on payment_attempts
  referencing new table as added for each statement execute function count_paid();
create trigger attempts_by_month_none after truncate on payment_attempts
  for each statement execute function forget_months('payments_by_month');
create trigger attendance_by_month_in after insert on attendance
  referencing new table as added for each statement execute function count_reported();
create trigger attendance_by_month after update on attendance
  referencing new table as added old table as removed for each statement execute function count_reported_again();
create trigger attendance_by_month_out after delete on attendance
  referencing old table as removed for each statement execute function count_unreported();
create trigger attendance_by_month_none after truncate on attendance
  for each statement execute function forget_months('attendance_by_month');

insert into payments_by_month (month, payments, amount)
select utc_month(coalesce(a.settled_at, a.created_at)), count(*), sum(p.amount)
from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
where a.state = 'success' group by 1;

insert into attendance_by_month (month, who, present, enrolled)
select date_trunc('month', date)::date, who, sum(present), sum(enrolled)
from attendance where not withdrawn group by 1, 2;
