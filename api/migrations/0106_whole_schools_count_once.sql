-- outside of a transaction
-- A report of a whole school (class ALL) contains its classes. On a day that has one, the reports of classes stay and do not add to it
-- (decision 214). A semicolon at the end of a line ends a statement here, so those inside of functions begin a line.
alter table attendance add column if not exists superseded boolean not null default false;

create or replace function count_reported() returns trigger language plpgsql as $$ begin
  insert into attendance_by_month (month, who, present, enrolled)
  select date_trunc('month', date)::date, who, sum(present), sum(enrolled)
  from added where not withdrawn and not superseded group by 1, 2
; return null; end $$;

create or replace function count_unreported() returns trigger language plpgsql as $$ begin
  insert into attendance_by_month (month, who, present, enrolled)
  select date_trunc('month', date)::date, who, -sum(present), -sum(enrolled)
  from removed where not withdrawn and not superseded group by 1, 2
; return null; end $$;

create or replace function count_reported_again() returns trigger language plpgsql as $$ begin
  insert into attendance_by_month (month, who, present, enrolled)
  select date_trunc('month', date)::date, who, sum(sign * present), sum(sign * enrolled)
  from (
    select 1 as sign, date, who, present, enrolled from added where not withdrawn and not superseded
    union all
    select -1, date, who, present, enrolled from removed where not withdrawn and not superseded
  ) changes
  group by 1, 2
  having sum(sign * present) <> 0 or sum(sign * enrolled) <> 0
; return null; end $$;

-- Two transactions, one with the whole school and one with a class, would not see each other. So one at a time writes reports of a school.
-- The lock is taken before that of the row, in the order of the rows, which workers write by school.
create or replace function one_report_at_a_time() returns trigger language plpgsql as $$ begin
  perform pg_advisory_xact_lock(hashtextextended('attendance ' || new.school_id, 0))
; return new; end $$;

-- Its update changes the totals of months by their own trigger, and calls this one again, which then finds nothing to change.
create or replace function supersede_classes() returns trigger language plpgsql as $$ begin
  if exists (select from changed where who = 'learners') then
    update attendance a set superseded = not a.superseded
    from (select distinct school_id, date from changed where who = 'learners') day
    where a.school_id = day.school_id and a.date = day.date and a.who = 'learners' and a.class <> 'ALL'
      and a.superseded <> exists (
        select from attendance w
        where w.school_id = day.school_id and w.date = day.date and w.who = 'learners' and w.class = 'ALL' and not w.withdrawn)
; end if
; return null; end $$;

create or replace trigger attendance_alone before insert on attendance for each row execute function one_report_at_a_time();
create or replace trigger attendance_superseded_in after insert on attendance
  referencing new table as changed for each statement execute function supersede_classes();
create or replace trigger attendance_superseded after update on attendance
  referencing new table as changed for each statement execute function supersede_classes();
create or replace trigger attendance_superseded_out after delete on attendance
  referencing old table as changed for each statement execute function supersede_classes();

-- What was reported before. The triggers of the months take it out of their totals.
update attendance a set superseded = true
where a.who = 'learners' and a.class <> 'ALL' and not a.superseded and exists (
  select from attendance w
  where w.school_id = a.school_id and w.date = a.date and w.who = 'learners' and w.class = 'ALL' and not w.withdrawn);

-- The week is read from the index alone, so the index has the new column too.
drop index concurrently if exists attendance_date_index;
create index concurrently if not exists attendance_date_index
  on attendance (date, school_id, who, enrolled, present, message_id, superseded) where not withdrawn;
