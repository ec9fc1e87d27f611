-- How many learners of each class were present in a month, for conditions of target lists on attendance (Imports 4.5): a year of a country has
-- ten million reports, and a half of a million of these sums (decision 227). They change in the transaction of a report. Nobody waits for it
-- who would not wait anyway, because reports of a school are written one at a time (decision 214).
create table attendance_by_class (
  month date not null,
  school_id bigint not null,
  -- As reports name it; ALL for a whole school, which contains the others.
  class text not null,
  present bigint not null,
  enrolled bigint not null,
  constraint attendance_by_class_key primary key (month, school_id, class),
  constraint attendance_by_class_month check (extract(day from month) = 1)
) with (fillfactor = 80);

-- Rows are written in one order, so that two who write reports of several schools wait for each other only one way.
create function sum_reported() returns trigger language plpgsql as $$
begin
  insert into attendance_by_class as k (month, school_id, class, present, enrolled)
  select date_trunc('month', date)::date, school_id, class, sum(present), sum(enrolled)
  from added where who = 'learners' and not withdrawn group by 1, 2, 3 order by 1, 2, 3
  on conflict (month, school_id, class) do update set present = k.present + excluded.present, enrolled = k.enrolled + excluded.enrolled;
  return null;
end $$;

-- A class that becomes a part of its whole school is the same here, so most updates of that kind write nothing.
create function sum_reported_again() returns trigger language plpgsql as $$
begin
  insert into attendance_by_class as k (month, school_id, class, present, enrolled)
  select date_trunc('month', date)::date, school_id, class, sum(sign * present), sum(sign * enrolled)
  from (
    select 1 as sign, date, school_id, class, present, enrolled from added where who = 'learners' and not withdrawn
    union all
    select -1, date, school_id, class, present, enrolled from removed where who = 'learners' and not withdrawn
  ) changes
  group by 1, 2, 3
  having sum(sign * present) <> 0 or sum(sign * enrolled) <> 0
  order by 1, 2, 3
  on conflict (month, school_id, class) do update set present = k.present + excluded.present, enrolled = k.enrolled + excluded.enrolled;
  return null;
end $$;

create function sum_unreported() returns trigger language plpgsql as $$
begin
  insert into attendance_by_class as k (month, school_id, class, present, enrolled)
  select date_trunc('month', date)::date, school_id, class, -sum(present), -sum(enrolled)
  from removed where who = 'learners' and not withdrawn group by 1, 2, 3 order by 1, 2, 3
  on conflict (month, school_id, class) do update set present = k.present + excluded.present, enrolled = k.enrolled + excluded.enrolled;
  return null;
end $$;

-- Adds all reports up again. `npm run totals:rebuild` does it. Reports that arrive meanwhile are stored, and wait to be processed.
create function recount_reports() returns void language plpgsql set work_mem = '256MB' as $$
begin
  lock table attendance in share row exclusive mode;
  delete from attendance_by_class;
  insert into attendance_by_class (month, school_id, class, present, enrolled)
  select date_trunc('month', date)::date, school_id, class, sum(present), sum(enrolled)
  from attendance where who = 'learners' and not withdrawn group by 1, 2, 3 order by 1, 2, 3;
end $$;

-- Their names come after those of the other triggers: sums are locked when all reports are, also those that a whole school supersedes. Reports
-- of before are added up by migration 0117, outside of this transaction.
create trigger reports_by_class_in after insert on attendance
  referencing new table as added for each statement execute function sum_reported();
create trigger reports_by_class after update on attendance
  referencing new table as added old table as removed for each statement execute function sum_reported_again();
create trigger reports_by_class_out after delete on attendance
  referencing old table as removed for each statement execute function sum_unreported();
create trigger reports_by_class_none after truncate on attendance
  for each statement execute function forget_months('attendance_by_class');
