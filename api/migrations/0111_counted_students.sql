-- How many girls the schools have, by class and level, and how many of them have a guardian with a number: for the counts of a target list
-- (Imports 4.5). The registers write down whose row has changed, in the transaction of the change. A worker counts these students again, and
-- whoever reads adds those who are not counted yet, so a count is exact at every moment and no two writers wait for each other (decision 225).

-- Registers write numbers as E.164.
create function is_number_of(number text, country text) returns boolean language sql immutable parallel safe as $$
  select coalesce(number like case country when 'ml' then '+223________' else '+221_________' end, false)
$$;

-- A student as a selection sees her. The registers have what it says; this view is the only place that knows how to read it.
create view live_students as
select s.id as student_id, s.school_id, s.class_id, coalesce(s.current_class_level, '') as level,
  coalesce(u.gender = 'female', false) as girl,
  exists (select from parent_students ps where ps.student_id = s.id) as guardian,
  exists (select from parent_students ps join parents p on p.id = ps.parent_id
    where ps.student_id = s.id and (is_number_of(p.contact_1, 'ml') or is_number_of(p.contact_2, 'ml'))) as number_ml,
  exists (select from parent_students ps join parents p on p.id = ps.parent_id
    where ps.student_id = s.id and (is_number_of(p.contact_1, 'sn') or is_number_of(p.contact_2, 'sn'))) as number_sn
from students s join users u on u.id = s.user_id;

-- The same as it was when she was counted.
create table counted_students (
  student_id bigint primary key,
  school_id bigint not null,
  class_id bigint,
  level text not null,
  girl boolean not null,
  guardian boolean not null,
  number_ml boolean not null,
  number_sn boolean not null
);
create index counted_students_school on counted_students (school_id);

-- The counts. Each number but the first is of girls.
create table student_counts (
  school_id bigint not null,
  class_id bigint,
  level text not null,
  students integer not null,
  girls integer not null,
  guardians integer not null,
  numbers_ml integer not null,
  numbers_sn integer not null,
  constraint student_counts_key unique nulls not distinct (school_id, class_id, level)
) with (fillfactor = 80);

-- Whose row has changed since she was counted: a student's, a guardian's or a person's. Who is meant by the other two is asked when it is
-- read, because a link that another transaction makes at the same moment is not visible before.
create table student_changes (
  id bigint primary key generated always as identity,
  student_id bigint,
  parent_id bigint,
  user_id bigint,
  constraint student_changes_one check (num_nonnulls(student_id, parent_id, user_id) = 1)
);

create view changed_students as
select c.student_id from student_changes c where c.student_id is not null
union
select ps.student_id from student_changes c join parent_students ps on ps.parent_id = c.parent_id
union
select s.id from student_changes c join students s on s.user_id = c.user_id;

-- The counts as they are now: those that are kept, and for each changed student minus how she was counted and plus how she is. Add them up.
create view student_counts_now as
select school_id, class_id, level, students, girls, guardians, numbers_ml, numbers_sn from student_counts
union all
select school_id, class_id, level, sign, sign * girl::int, sign * (girl and guardian)::int, sign * (girl and number_ml)::int, sign * (girl and number_sn)::int
from (
  select -1 as sign, c.* from changed_students x join counted_students c using (student_id)
  union all
  select 1, l.* from changed_students x join live_students l using (student_id)
) changed;

create function student_added() returns trigger language plpgsql as $$
begin
  insert into student_changes (student_id) select id from added;
  return null;
end $$;

create function student_changed() returns trigger language plpgsql as $$
begin
  insert into student_changes (student_id) values (old.id);
  return null;
end $$;

create function guardian_added() returns trigger language plpgsql as $$
begin
  insert into student_changes (student_id) select distinct student_id from added;
  return null;
end $$;

create function guardian_removed() returns trigger language plpgsql as $$
begin
  insert into student_changes (student_id) select distinct student_id from removed;
  return null;
end $$;

create function guardian_changed() returns trigger language plpgsql as $$
begin
  insert into student_changes (parent_id) values (new.id);
  return null;
end $$;

create function person_changed() returns trigger language plpgsql as $$
begin
  insert into student_changes (user_id) values (new.id);
  return null;
end $$;

-- Counts some students again: each leaves the group in which she was counted, and joins that in which she is. One statement, so that all of
-- it is one state of the registers.
create function count_students(ids bigint[]) returns void language sql as $$
  with before as (select * from counted_students where student_id = any(ids)),
    after as (select * from live_students where student_id = any(ids)),
    put as (
      insert into counted_students as c select * from after
      on conflict (student_id) do update set school_id = excluded.school_id, class_id = excluded.class_id, level = excluded.level,
        girl = excluded.girl, guardian = excluded.guardian, number_ml = excluded.number_ml, number_sn = excluded.number_sn
      where c is distinct from excluded),
    gone as (delete from counted_students c where student_id = any(ids) and not exists (select from after a where a.student_id = c.student_id))
  insert into student_counts as k
  select school_id, class_id, level, sum(sign), sum(sign * girl::int), sum(sign * (girl and guardian)::int),
    sum(sign * (girl and number_ml)::int), sum(sign * (girl and number_sn)::int)
  from (select -1 as sign, before.* from before union all select 1, after.* from after) changed
  group by 1, 2, 3
  on conflict (school_id, class_id, level) do update set students = k.students + excluded.students, girls = k.girls + excluded.girls,
    guardians = k.guardians + excluded.guardians, numbers_ml = k.numbers_ml + excluded.numbers_ml, numbers_sn = k.numbers_sn + excluded.numbers_sn
$$;

-- Counts again up to so many changes. Returns how many there were. One worker at a time: the lock comes before the snapshot in which the
-- students' former groups are read.
create function count_changed_students(most int) returns bigint language plpgsql as $$
declare changes bigint; ids bigint[];
begin
  perform pg_advisory_xact_lock(hashtext('counted students'));
  with taken as (
      delete from student_changes where id in (select id from student_changes order by id limit most) returning student_id, parent_id, user_id),
    named as (
      select student_id from taken where student_id is not null
      union
      select ps.student_id from taken t join parent_students ps on ps.parent_id = t.parent_id
      union
      select s.id from taken t join students s on s.user_id = t.user_id)
  select (select count(*) from taken), array(select student_id from named) into changes, ids;
  if changes = 0 then
    return 0;
  end if;
  perform count_students(ids);
  delete from student_counts where students = 0;
  return changes;
end $$;

-- Counts all students again. `npm run totals:rebuild` does it. Whoever changes a register meanwhile does not wait.
create function recount_students() returns void language plpgsql set work_mem = '256MB' as $$
begin
  perform pg_advisory_xact_lock(hashtext('counted students'));
  delete from student_changes;
  delete from counted_students;
  delete from student_counts;
  insert into counted_students select * from live_students;
  insert into student_counts
  select school_id, class_id, level, count(*), count(*) filter (where girl), count(*) filter (where girl and guardian),
    count(*) filter (where girl and number_ml), count(*) filter (where girl and number_sn)
  from counted_students group by 1, 2, 3;
end $$;

create function forget_counted_students() returns trigger language plpgsql as $$
begin
  delete from student_changes;
  delete from counted_students;
  delete from student_counts;
  return null;
end $$;

-- In the order in which imports write these tables. All students are counted once by migration 0114, which lets others write meanwhile: from here on
-- each change is written down.
create trigger users_counted after update of gender on users for each row
  when (old.gender is distinct from new.gender) execute function person_changed();
create trigger students_counted_in after insert on students
  referencing new table as added for each statement execute function student_added();
create trigger students_counted after update on students for each row
  when ((old.school_id, old.class_id, old.current_class_level, old.user_id) is distinct from (new.school_id, new.class_id, new.current_class_level, new.user_id))
  execute function student_changed();
create trigger students_counted_out after delete on students for each row execute function student_changed();
create trigger students_counted_none after truncate on students for each statement execute function forget_counted_students();
create trigger parent_students_counted_in after insert on parent_students
  referencing new table as added for each statement execute function guardian_added();
create trigger parent_students_counted after update on parent_students
  referencing new table as added for each statement execute function guardian_added();
create trigger parent_students_counted_from after update on parent_students
  referencing old table as removed for each statement execute function guardian_removed();
create trigger parent_students_counted_out after delete on parent_students
  referencing old table as removed for each statement execute function guardian_removed();
create trigger parents_counted after update of contact_1, contact_2 on parents for each row
  when ((old.contact_1, old.contact_2) is distinct from (new.contact_1, new.contact_2)) execute function guardian_changed();
