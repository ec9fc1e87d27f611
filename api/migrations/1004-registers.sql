-- A row that two people edit at once: what is sent back carries the version it was read with (409 otherwise).
alter table arrondissements add column version integer not null default 1;
alter table schools add column version integer not null default 1;
alter table partners add column version integer not null default 1;
alter table students add column version integer not null default 1;
alter table parents add column version integer not null default 1;

-- Lists of people are searched and sorted by name at 150,000 rows: the name stands in the register's own row, so that one
-- index serves each, and the database keeps it in step.
alter table students add column person text not null default '';
alter table parents add column person text not null default '';
alter table teachers add column person text not null default '';

update students s set person = u.last_name || ' ' || u.first_name from users u where u.id = s.user_id;
update parents p set person = u.last_name || ' ' || u.first_name from users u where u.id = p.user_id;
update teachers t set person = u.last_name || ' ' || u.first_name from users u where u.id = t.user_id;

create function take_person() returns trigger language plpgsql as $$
begin
  select last_name || ' ' || first_name into new.person from users where id = new.user_id;
  return new;
end $$;
create trigger students_person before insert or update of user_id on students for each row execute function take_person();
create trigger parents_person before insert or update of user_id on parents for each row execute function take_person();
create trigger teachers_person before insert or update of user_id on teachers for each row execute function take_person();

create function spread_person() returns trigger language plpgsql as $$
begin
  update students set person = new.last_name || ' ' || new.first_name where user_id = new.id;
  update parents set person = new.last_name || ' ' || new.first_name where user_id = new.id;
  update teachers set person = new.last_name || ' ' || new.first_name where user_id = new.id;
  return null;
end $$;
create trigger users_person after update of first_name, last_name on users for each row
  when (old.first_name is distinct from new.first_name or old.last_name is distinct from new.last_name)
  execute function spread_person();

-- Last name, first name and again: a search for either order finds it.
alter table students drop column search;
alter table students add column search text generated always as (portal_search(person || ' ' || person || ' ' || student_code
  || ' ' || coalesce(student_assigned_id, '') || ' ' || coalesce(admission_number, ''))) stored;
create index students_search_index on students using gin (search gin_trgm_ops);
create index students_person_index on students (person collate "fr-x-icu", id);
create index students_class_level_index on students (current_class_level, id);

alter table parents drop column search;
alter table parents add column search text generated always as (portal_search(person || ' ' || person || ' ' || parent_assigned_id
  || ' ' || coalesce(contact_1, '') || ' ' || coalesce(contact_2, ''))) stored;
create index parents_search_index on parents using gin (search gin_trgm_ops);
create index parents_person_index on parents (person collate "fr-x-icu", id);

alter table teachers add column search text generated always as (portal_search(person || ' ' || person || ' ' || natural_key
  || ' ' || coalesce(phone_1, ''))) stored;
create index teachers_search_index on teachers using gin (search gin_trgm_ops);
create index teachers_person_index on teachers (person collate "fr-x-icu", id);
create index teachers_school_id_index on teachers (school_id, id);

create index schools_name_index on schools (name collate "fr-x-icu", id);

-- What a row of a file becomes, kept between reading and writing; a row without it is only shown.
alter table import_rows add column key text;
alter table import_rows add column subject_id bigint;
alter table import_rows add column entry jsonb;
alter table import_rows add column same_as integer;
create index import_rows_key_index on import_rows (import_id, key);
