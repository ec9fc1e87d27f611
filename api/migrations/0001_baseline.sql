-- The first schema of every database. Each later change is a file with the next number.
-- The file is ordered by domain. Each table is followed by its indexes and triggers.

-- ========
-- Searches
-- ========

create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- Generated columns and indexes need an immutable function. unaccent() is only declared stable, because its dictionary
-- could be changed. This function names the dictionary, and nothing changes it.
create function portal_search(text) returns text
  language sql immutable strict parallel safe
  as $$ select lower(public.unaccent('public.unaccent'::regdictionary, $1)) $$;

-- ======
-- Access
-- ======
-- Accounts, roles, sessions, rate limits: docs/rules/access.md.

create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

-- People: accounts, and people of the registers, who cannot sign in (Access 4.1).
create table users (
  id bigint primary key generated always as identity,
  first_name text not null,
  last_name text not null,
  -- Lower case; null if the person has none. Without an e-mail an account cannot sign in (Access 4.2).
  email text,
  gender text,
  type text,
  user_title text,
  date_of_birth date,
  account boolean not null default false,
  password_hash text,
  deactivated_at timestamptz,
  locale text,
  number_form text not null default 'en-2',
  -- Encrypted. Sign-in asks for a code only once `totp_confirmed_at` is set.
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  -- Time step of the last accepted code, so that no code works twice.
  totp_last_step bigint,
  user_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search text generated always as (portal_search(first_name || ' ' || last_name || ' ' || first_name || ' ' || coalesce(email, ''))) stored,
  -- Optimistic lock (Registers 1.1). A trigger counts it, so that no code path can forget to.
  version integer not null default 1,
  constraint users_first_name_check check (length(trim(first_name)) between 1 and 255),
  constraint users_last_name_check check (length(trim(last_name)) between 1 and 255),
  constraint users_email_check check (email = lower(email)),
  constraint users_gender_check check (gender in ('male', 'female')),
  constraint users_type_check check (type in ('teacher', 'student', 'partner', 'developer')),
  constraint users_title_check check (user_title in ('mr', 'mrs', 'miss', 'prof', 'dr')),
  constraint users_locale_check check (locale in ('en', 'fr')),
  constraint users_number_form_check check (number_form in ('en-2', 'fr-0')),
  constraint users_password_check check (password_hash is null or account)
);
create unique index users_email_key on users (email);
create index users_accounts_index on users (id) where account;
create index users_search_index on users using gin (search gin_trgm_ops);
create index users_user_id_index on users (user_id);
-- Only the fields that forms edit change the version. Sign-ins, passwords and codes do not.
create trigger users_version before update on users for each row
  when ((old.first_name, old.last_name, old.email, old.gender, old.type, old.user_title, old.deactivated_at)
    is distinct from (new.first_name, new.last_name, new.email, new.gender, new.type, new.user_title, new.deactivated_at))
  execute function count_version();

-- One sign-in of one browser. Only the browser has the token; the database has its hash (Access 2.1).
create table sessions (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id),
  token_hash bytea not null,
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ended_at timestamptz
);
create unique index sessions_token_hash_key on sessions (token_hash);
create index sessions_user_id_index on sessions (user_id, created_at);

-- Tokens of invitations (7 days) and password resets (60 minutes), stored hashed. Each works once.
create table password_tokens (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id),
  token_hash bytea not null,
  purpose text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint password_tokens_purpose_check check (purpose in ('reset', 'invitation'))
);
create unique index password_tokens_token_hash_key on password_tokens (token_hash);
create index password_tokens_user_id_index on password_tokens (user_id);

-- Recovery codes for people who lost the device with their one-time codes. Each works once.
create table recovery_codes (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id),
  code_hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index recovery_codes_key on recovery_codes (user_id, code_hash);

-- The rate limiter of sign-in, reset links and invites: one row per attempt. A success deletes the rows of its
-- subject (Access 1.2).
create table guesses (
  id bigint primary key generated always as identity,
  kind text not null,
  -- Hash of the e-mail or link that is tried.
  subject bytea not null,
  address text not null,
  created_at timestamptz not null default now()
);
create index guesses_subject_index on guesses (kind, subject, created_at);
create index guesses_address_index on guesses (address, created_at);
create index guesses_created_at_index on guesses (created_at);

-- Every permission of the contracts (Access 3.1), which `migrate` keeps up to date, and the permissions that modules
-- declare.
create table permissions (
  id bigint primary key generated always as identity,
  name text not null,
  -- The module that declares it; null for permissions of the portal. Only declared ones have a label here.
  module text,
  label jsonb
);
create unique index permissions_name_key on permissions (name);

-- Roles are data (Access 3.2); `administrator` marks the one that can be neither deleted nor emptied.
create table roles (
  id bigint primary key generated always as identity,
  name text not null,
  administrator boolean not null default false,
  -- Its holders must sign in with a one-time code.
  requires_totp boolean not null default false,
  user_id bigint,
  created_at timestamptz not null default now(),
  version integer not null default 1
);
create unique index roles_name_key on roles (lower(name));
create unique index roles_administrator_key on roles (administrator) where administrator;
create trigger roles_version before update on roles for each row
  when ((old.name, old.requires_totp) is distinct from (new.name, new.requires_totp))
  execute function count_version();

-- What a role allows.
create table role_permissions (
  role_id bigint not null references roles (id) on delete cascade,
  permission_id bigint not null references permissions (id) on delete cascade,
  constraint role_permissions_key primary key (role_id, permission_id)
);
create index role_permissions_permission_id_index on role_permissions (permission_id);

-- Who holds which role.
create table user_roles (
  user_id bigint not null references users (id),
  role_id bigint not null references roles (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint user_roles_key primary key (user_id, role_id)
);
create index user_roles_role_id_index on user_roles (role_id);

-- =========
-- Audit log
-- =========
-- docs/rules/access.md.

-- The audit log is append-only (Access 6.2). The application's role has no right to update or delete. This trigger also
-- stops the owner, except with the setting `portal.maintenance`, which the tests use to clean up.
create function refuse_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('portal.maintenance', true), '') = 'on' then
    return case tg_op when 'DELETE' then old when 'UPDATE' then new end;
  end if;
  raise exception '% of % is not possible: it is only ever added to', tg_op, tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Who did what (Access 6.1). Append-only. `seal` is an HMAC, so that forged rows are detected.
create table audits (
  id bigint primary key generated always as identity,
  created_at timestamptz not null default now(),
  user_id bigint,
  ip_address text,
  user_agent text,
  request_id text,
  event text not null,
  auditable_type text not null,
  auditable_id bigint,
  values_hash bytea not null,
  seal bytea not null,
  -- The transaction that wrote the row. The job that links the chain only reads rows of recent transactions.
  transaction xid8 not null default pg_current_xact_id()
);
create index audits_created_at_index on audits (created_at, id);
create index audits_transaction_index on audits (transaction);
create index audits_user_id_index on audits (user_id);
create index audits_auditable_index on audits (auditable_type, auditable_id);
-- The filters of the audit log list the distinct events. A skip scan over this index finds them without reading the log.
create index audits_event_index on audits (event, id);
create trigger audits_keep before update or delete on audits for each row execute function refuse_change();
create trigger audits_keep_all before truncate on audits for each statement execute function refuse_change();

-- Values may be erased once and are never rewritten. The erasure has its own audit row, which says who did it.
create function keep_audit_values() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('portal.maintenance', true), '') = 'on' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'UPDATE' and old.erased_at is null and new.erased_at is not null and new.old_values is null
     and new.new_values is null and new.audit_id = old.audit_id and new.salt = old.salt then
    return new;
  end if;
  raise exception '% of audit_values is not possible: values are emptied, nothing else', tg_op using errcode = 'insufficient_privilege';
end $$;

-- Old and new values. They have their own row, so that erasing them does not break the hash chain.
create table audit_values (
  audit_id bigint primary key references audits (id),
  salt bytea not null,
  old_values jsonb,
  new_values jsonb,
  erased_at timestamptz
);
create trigger audit_values_keep_all before truncate on audit_values for each statement execute function refuse_change();
create trigger audit_values_keep before update or delete on audit_values for each row execute function keep_audit_values();

create function erase_audit_values(erased bigint) returns void language sql security definer set search_path = public as $$
  update audit_values set old_values = null, new_values = null, erased_at = now() where audit_id = erased and erased_at is null
$$;
revoke all on function erase_audit_values(bigint) from public;

create table audit_links (
  position bigint primary key,
  audit_id bigint not null references audits (id),
  previous bytea not null,
  hash bytea not null,
  created_at timestamptz not null default now()
);
create unique index audit_links_audit_id_key on audit_links (audit_id);
create unique index audit_links_previous_key on audit_links (previous);
create trigger audit_links_keep before update or delete on audit_links for each row execute function refuse_change();
create trigger audit_links_keep_all before truncate on audit_links for each statement execute function refuse_change();

create table audit_head (
  id bigint primary key,
  position bigint not null,
  hash bytea not null,
  seal bytea not null
);

-- =================
-- Files and letters
-- =================

-- Every stored file. The row that refers to it decides who may read it. `size` is in bytes; `type` comes from the content.
create table files (
  id bigint primary key generated always as identity,
  key text not null,
  name text not null,
  type text not null,
  size bigint not null,
  sha256 bytea not null,
  user_id bigint,
  created_at timestamptz not null default now(),
  constraint files_key_key unique (key)
);
create index files_user_id_index on files (user_id);

-- Requested exports. The worker writes the file, and only the person who requested it may fetch it, for 24 hours.
create table exports (
  id bigint primary key generated always as identity,
  user_id bigint not null,
  kind text not null,
  params jsonb not null,
  locale text not null default 'en',
  file_name text not null,
  state text not null default 'queued',
  rows_done bigint not null default 0,
  rows_total bigint not null default 0,
  file_key text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  constraint exports_file_name_key unique (file_name),
  constraint exports_state_check check (state in ('queued', 'writing', 'ready', 'failed'))
);
create index exports_user_id_index on exports (user_id);
create index exports_expires_at_index on exports (expires_at);

-- Outgoing mail. The body may contain a link with a secret token, so it is encrypted, and deleted once the mail is sent.
create table mails (
  id bigint primary key generated always as identity,
  recipient text not null,
  subject text not null,
  body bytea,
  state text not null default 'queued',
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  constraint mails_state_check check (state in ('queued', 'sent', 'failed'))
);

-- Notifications, in both languages. `link` is a path of the portal, or what the notification is about (`import.schools:12`).
create table notifications (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id),
  text jsonb not null,
  link text,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notifications_user_id_index on notifications (user_id, id);
create index notifications_unread_index on notifications (user_id) where read_at is null;

-- =========
-- Registers
-- =========
-- Places, schools and people: docs/rules/registers.md.

-- Closed lists of the product (Registers 4.1): `list` is class_level, language, school_type, case_type…
create table reference_values (
  id bigint primary key generated always as identity,
  list text not null,
  code text not null,
  en text not null,
  fr text not null,
  -- The country that a value belongs to; null if it belongs to both.
  country text,
  position integer not null default 0,
  active boolean not null default true,
  constraint reference_values_key unique (list, code),
  constraint reference_values_list_check check (list in ('class_level', 'language', 'school_type', 'partner_type', 'employment_type', 'case_type', 'case_channel', 'case_tag')),
  constraint reference_values_country_check check (country in ('ml', 'sn'))
);

-- Regions of a country. All names of places are upper case.
create table regions (
  id bigint primary key generated always as identity,
  country text not null,
  name text not null,
  created_at timestamptz not null default now(),
  constraint regions_key unique (country, name),
  constraint regions_country_check check (country in ('ml', 'sn')),
  constraint regions_name_check check (name = upper(name) and name <> '')
);

-- Cercles of Mali, départements of Senegal.
create table cercles (
  id bigint primary key generated always as identity,
  region_id bigint not null references regions (id),
  name text not null,
  created_at timestamptz not null default now(),
  constraint cercles_key unique (region_id, name),
  constraint cercles_name_check check (name = upper(name) and name <> '')
);

create table communes (
  id bigint primary key generated always as identity,
  cercle_id bigint not null references cercles (id),
  name text not null,
  created_at timestamptz not null default now(),
  constraint communes_key unique (cercle_id, name),
  constraint communes_name_check check (name = upper(name) and name <> '')
);

-- Locations. The natural key is (region, cercle, commune, arrondissement).
create table arrondissements (
  id bigint primary key generated always as identity,
  commune_id bigint not null references communes (id),
  name text not null,
  created_at timestamptz not null default now(),
  search text generated always as (portal_search(name)) stored,
  -- Optimistic lock (Registers 1.1).
  version integer not null default 1,
  constraint arrondissements_key unique (commune_id, name),
  constraint arrondissements_name_check check (name = upper(name) and name <> '')
);
create index arrondissements_search_index on arrondissements using gin (search gin_trgm_ops);

-- Education authorities (AE, IA) of a region.
create table academies (
  id bigint primary key generated always as identity,
  region_id bigint not null references regions (id),
  name text not null,
  created_at timestamptz not null default now(),
  constraint academies_key unique (region_id, name)
);

-- School districts (CAP, IEF). Read-only in the portal (Registers 2.3).
create table caps (
  id bigint primary key generated always as identity,
  academy_id bigint not null references academies (id),
  name text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  constraint caps_key unique (academy_id, name)
);

-- Schools. The CAP (`admin_district_as_cap`) and the AE (`education_authority_as_ae`) follow from `cap_id`.
create table schools (
  id bigint primary key generated always as identity,
  name text not null,
  admin_code text not null,
  type_of_school text not null,
  cap_id bigint not null references caps (id),
  arrondissement_id bigint references arrondissements (id),
  academic_year text not null,
  user_id bigint references users (id),
  created_at timestamptz not null default now(),
  search text generated always as (portal_search(name || ' ' || admin_code)) stored,
  version integer not null default 1,
  constraint schools_admin_code_key unique (admin_code),
  constraint schools_name_check check (length(trim(name)) > 0),
  constraint schools_admin_code_check check (length(trim(admin_code)) > 0),
  constraint schools_academic_year_check check (academic_year ~ '^[0-9]{4}-[0-9]{4}$')
);
create index schools_cap_id_index on schools (cap_id);
create index schools_arrondissement_id_index on schools (arrondissement_id);
create index schools_search_index on schools using gin (search gin_trgm_ops);
create index schools_name_index on schools (name collate "fr-x-icu", id);

-- Classes of a school.
create table classes (
  id bigint primary key generated always as identity,
  school_id bigint not null references schools (id),
  name text not null,
  created_at timestamptz not null default now(),
  constraint classes_key unique (school_id, name)
);

-- Partner organisations. `user_id` is the organisation's person, who may have an account and review cases.
create table partners (
  id bigint primary key generated always as identity,
  name text not null,
  user_id bigint not null references users (id),
  partner_type text not null,
  partner_since date not null,
  created_at timestamptz not null default now(),
  search text generated always as (portal_search(name)) stored,
  version integer not null default 1,
  constraint partners_user_id_key unique (user_id)
);
create index partners_search_index on partners using gin (search gin_trgm_ops);

-- The schools that a partner supports.
create table partner_schools (
  partner_id bigint not null references partners (id) on delete cascade,
  school_id bigint not null references schools (id),
  constraint partner_schools_key primary key (partner_id, school_id)
);
create index partner_schools_school_id_index on partner_schools (school_id);

create function take_person() returns trigger language plpgsql as $$
begin
  select last_name || ' ' || first_name into new.person from users where id = new.user_id;
  return new;
end $$;

-- Teachers. `natural_key` is the person's e-mail, or the telephone number if there is no e-mail (Registers 3.1).
create table teachers (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id),
  school_id bigint not null references schools (id),
  natural_key text not null,
  start_date date,
  employment_type text,
  phone_1 text,
  created_at timestamptz not null default now(),
  -- Last and first name, for searching and sorting. Triggers copy it from `users`.
  person text not null default '',
  search text generated always as (portal_search(person || ' ' || person || ' ' || natural_key
  || ' ' || coalesce(phone_1, ''))) stored,
  constraint teachers_natural_key_key unique (school_id, natural_key),
  constraint teachers_user_id_key unique (user_id, school_id)
);
create index teachers_search_index on teachers using gin (search gin_trgm_ops);
create index teachers_person_index on teachers (person collate "fr-x-icu", id);
create index teachers_school_id_index on teachers (school_id, id);
create trigger teachers_person before insert or update of user_id on teachers for each row execute function take_person();

-- The classes of a teacher.
create table teacher_classes (
  teacher_id bigint not null references teachers (id) on delete cascade,
  class_id bigint not null references classes (id),
  constraint teacher_classes_key primary key (teacher_id, class_id)
);
create index teacher_classes_class_id_index on teacher_classes (class_id);

-- Students. Maternal status and disability may only be read with `students.sensitive` (Access 5.1).
create table students (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id),
  school_id bigint not null references schools (id),
  class_id bigint references classes (id),
  student_code text not null,
  student_assigned_id text,
  current_class_level text,
  admission_number text,
  academic_year text,
  start_date date,
  language_spoken text,
  maternal_status text,
  disability_vision text,
  disability_hearing text,
  disability_mobility text,
  disability_cognition text,
  disability_selfcare text,
  disability_communication text,
  disability_other text,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  -- Last and first name, for searching and sorting. Triggers copy it from `users`.
  person text not null default '',
  search text generated always as (portal_search(person || ' ' || person || ' ' || student_code
  || ' ' || coalesce(student_assigned_id, '') || ' ' || coalesce(admission_number, ''))) stored,
  constraint students_student_code_key unique (student_code),
  constraint students_user_id_key unique (user_id),
  constraint students_student_code_check check (length(trim(student_code)) > 0),
  constraint students_maternal_status_check check (maternal_status in ('none', 'pregnant', 'mother', 'pregnant_mother')),
  constraint students_vision_check check (disability_vision in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
  constraint students_hearing_check check (disability_hearing in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
  constraint students_mobility_check check (disability_mobility in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
  constraint students_cognition_check check (disability_cognition in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
  constraint students_selfcare_check check (disability_selfcare in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
  constraint students_communication_check check (disability_communication in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')),
  constraint students_other_check check (disability_other in ('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do'))
);
create index students_school_id_index on students (school_id, id);
create index students_class_id_index on students (class_id);
create index students_search_index on students using gin (search gin_trgm_ops);
create index students_person_index on students (person collate "fr-x-icu", id);
create index students_class_level_index on students (current_class_level, id);
create trigger students_person before insert or update of user_id on students for each row execute function take_person();

-- Guardians.
create table parents (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id),
  parent_assigned_id text not null,
  contact_1 text,
  contact_2 text,
  displaced_or_resident text,
  is_handicap boolean,
  profession text,
  boys_in_f1 integer,
  girls_in_f1 integer,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  -- Last and first name, for searching and sorting. Triggers copy it from `users`.
  person text not null default '',
  search text generated always as (portal_search(person || ' ' || person || ' ' || parent_assigned_id
  || ' ' || coalesce(contact_1, '') || ' ' || coalesce(contact_2, ''))) stored,
  constraint parents_parent_assigned_id_key unique (parent_assigned_id),
  constraint parents_user_id_key unique (user_id),
  constraint parents_displaced_check check (displaced_or_resident in ('displaced', 'resident')),
  constraint parents_children_check check (boys_in_f1 >= 0 and girls_in_f1 >= 0)
);
create index parents_search_index on parents using gin (search gin_trgm_ops);
create index parents_person_index on parents (person collate "fr-x-icu", id);
create trigger parents_person before insert or update of user_id on parents for each row execute function take_person();

-- The students that a guardian is responsible for.
create table parent_students (
  parent_id bigint not null references parents (id) on delete cascade,
  student_id bigint not null references students (id),
  constraint parent_students_key primary key (parent_id, student_id)
);
create index parent_students_student_id_index on parent_students (student_id);

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

-- =======
-- Imports
-- =======
-- docs/rules/imports.md.

-- Imports of Excel files (Imports 3.1). `params` has further input of its kind, such as the form of a cohort.
create table imports (
  id bigint primary key generated always as identity,
  kind text not null,
  state text not null default 'queued',
  -- Whether the import waits in the state `review` until somebody confirms it.
  review boolean not null default false,
  file_id bigint not null references files (id),
  file_name text not null,
  file_hash text not null,
  params jsonb not null default '{}',
  rows_read integer not null default 0,
  rows_new integer not null default 0,
  rows_changed integer not null default 0,
  rows_unchanged integer not null default 0,
  rows_duplicate integer not null default 0,
  rows_rejected integer not null default 0,
  -- Why the whole import failed.
  problem jsonb,
  user_id bigint not null references users (id),
  -- Fencing token: a worker with an older one may not write (Imports 3.5).
  fence integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Who confirmed the review.
  confirmed_by bigint references users (id),
  constraint imports_state_check check (state in ('queued', 'reading', 'review', 'importing', 'imported', 'failed', 'cancelled')),
  constraint imports_counts_check check (least(rows_read, rows_new, rows_changed, rows_unchanged, rows_duplicate, rows_rejected) >= 0),
  constraint imports_kind_check
    check (kind in ('locations', 'schools', 'partners', 'teachers', 'students', 'parents', 'target-list', 'attendance'))
);
create index imports_kind_index on imports (kind, id);
create index imports_user_id_index on imports (user_id);

-- Staged rows of a file, by category (`kind`). The review and the workbook of rejected rows are made from them.
create table import_rows (
  import_id bigint not null references imports (id) on delete cascade,
  -- The row number in the spreadsheet.
  "row" integer not null,
  kind text not null,
  -- The cells of the file, by column.
  cells jsonb not null,
  -- The natural key in the form that is compared; null if the row has none.
  key text,
  -- The id of the row in the register that it changes.
  subject_id bigint,
  -- The values that are written when the import is confirmed.
  entry jsonb,
  -- For a duplicate: the row of the file that it repeats.
  same_as integer,
  constraint import_rows_kind_check check (kind in ('new', 'changed', 'unchanged', 'duplicate', 'rejected')),
  primary key (import_id, "row")
);
create index import_rows_kind_index on import_rows (import_id, kind, "row");

-- Rejected cells. `message` is the key of a sentence in the contracts, with its parameters (`between|0|100`).
create table import_errors (
  id bigint primary key generated always as identity,
  import_id bigint not null references imports (id) on delete cascade,
  "row" integer not null,
  "column" text not null,
  value text,
  message text not null
);
create index import_errors_row_index on import_errors (import_id, "row", id);

-- The cells that an import changed. The audit log has one row for the whole import (Access 6.5).
create table import_changes (
  id bigint primary key generated always as identity,
  import_id bigint not null references imports (id) on delete cascade,
  "row" integer not null,
  subject_id bigint not null,
  "column" text not null,
  old_value text,
  new_value text
);
create index import_changes_import_id_index on import_changes (import_id, "row");

-- Cells that were corrected in the review. Who corrected a target list may not approve it (Money 6.1).
create table import_corrections (
  id bigint primary key generated always as identity,
  import_id bigint not null references imports (id) on delete cascade,
  "row" integer not null,
  "column" text not null,
  old_value text,
  new_value text,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now()
);
create index import_corrections_import_id_index on import_corrections (import_id, "row");
create trigger import_corrections_keep before update on import_corrections for each row execute function refuse_change();

-- ============
-- Installation
-- ============

-- Whether this database was filled as a demo. One row, written with the first content and never changed (Registers 5.3).
create table installation (
  -- Always true, so that there is at most one row.
  "only" boolean primary key default true,
  filled_as text not null,
  size text,
  -- When the demo's past payments were imported into the sandbox agency's ledger.
  ledger_at timestamptz,
  created_at timestamptz not null default now(),
  constraint installation_only_check check ("only"),
  constraint installation_filled_as_check check (filled_as in ('demo', 'empty')),
  constraint installation_size_check check ((filled_as = 'demo') = (size is not null))
);

-- The installation that this database belongs to. Its id is also stored outside of the database (PORTAL_INSTALLATION or a
-- file in the data folder). Api and worker refuse to start if the two differ.
create function hmac_pad(secret bytea, filler integer) returns bytea language plpgsql immutable strict as $$
declare
  pad bytea := secret || decode(repeat('00', 64 - length(secret)), 'hex');
begin
  for i in 0..63 loop
    pad := set_byte(pad, i, get_byte(pad, i) # filler);
  end loop;
  return pad;
end $$;

create function payment_secret(installation uuid) returns bytea language sql immutable strict as $$
  select sha256(convert_to('portal payment keys ' || installation::text, 'utf8'))
$$;

create function installation_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.adopted_at is not null then
    raise exception 'the installation of a database never changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create table installation_identity (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  -- Inner and outer padded key of HMAC, computed once instead of for each payment.
  inner_pad bytea not null generated always as (hmac_pad(payment_secret(id), 54)) stored,
  outer_pad bytea not null generated always as (hmac_pad(payment_secret(id), 92)) stored,
  -- When the id was first written or found outside of the database. Afterwards the row never changes.
  adopted_at timestamptz
);
create trigger installation_kept before update or delete on installation_identity
  for each row execute function installation_kept();
insert into installation_identity default values;

-- HMAC-SHA-256 of a text, in hexadecimal, with the key of this installation.
create function payment_digest(message text) returns text language sql stable as $$
  select encode(sha256(outer_pad || sha256(inner_pad || convert_to(message, 'utf8'))), 'hex') from installation_identity
$$;

-- ===============
-- Money: agencies
-- ===============
-- docs/rules/money.md.

create function agency_lease() returns trigger language plpgsql as $$
begin
  insert into agency_leases (agency_id) values (new.id);
  return null;
end $$;

-- Transfer agencies. Secrets are encrypted in `secrets`, never in `details` (Money 7.2).
create table transfer_agencies (
  id bigint primary key generated always as identity,
  name text not null,
  description text not null,
  type text not null,
  country text not null,
  fees numeric(5, 2) not null,
  endpoint text not null,
  protocol text not null,
  details jsonb not null,
  secrets bytea,
  -- Names of the encrypted details, so that lists do not have to decrypt them.
  secret_names text[] not null default '{}',
  status text not null default 'active',
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint transfer_agencies_name unique (name),
  constraint transfer_agencies_type check (type in ('mobile_money', 'bank')),
  constraint transfer_agencies_country check (country in ('ml', 'sn')),
  constraint transfer_agencies_status check (status in ('active', 'inactive')),
  constraint transfer_agencies_fees check (fees between 0 and 100)
);
create trigger agency_lease after insert on transfer_agencies for each row execute function agency_lease();
create trigger transfer_agencies_version before update on transfer_agencies for each row
  when ((old.status, old.endpoint, old.protocol, old.details, old.secrets)
    is distinct from (new.status, new.endpoint, new.protocol, new.details, new.secrets))
  execute function count_version();

-- Transfer parameters: amount, frequency, commission. They are only activated and deactivated, never edited (Money 1.7).
create table transfer_parameters (
  id bigint primary key generated always as identity,
  name text not null,
  description text not null,
  -- Hundredths of a percent (Money 1.4).
  commission_hundredths integer not null,
  amount bigint not null,
  currency text not null default 'XOF',
  frequency integer not null,
  status text not null default 'active',
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  version integer not null default 1,
  constraint transfer_parameters_name unique (name),
  constraint transfer_parameters_commission check (commission_hundredths between 0 and 10000),
  constraint transfer_parameters_amount check (amount > 0),
  constraint transfer_parameters_currency check (currency = 'XOF'),
  constraint transfer_parameters_frequency check (frequency between 1 and 31),
  constraint transfer_parameters_status check (status in ('active', 'inactive'))
);
create trigger transfer_parameters_version before update on transfer_parameters for each row
  when (old.status is distinct from new.status) execute function count_version();

-- The lease of each agency: one worker at a time sends to it, with a fencing token (Money 4.10).
create table agency_leases (
  agency_id bigint primary key references transfer_agencies (id),
  owner text,
  lease_until timestamptz,
  fence bigint not null default 0,
  -- Nobody takes the lease before this time. It is set after the agency could not be used.
  rest_until timestamptz,
  -- The settings that the connection was opened with. When they change, it is opened again.
  opened_with text,
  -- Since when payments are open, when one was last settled, and when a lack of progress was reported (Money 7.6).
  open_since timestamptz,
  settled_at timestamptz,
  stalled_at timestamptz
);

-- Addresses of agencies that orders were sent to (Money 4.6).
create table payment_lines (
  id bigint primary key generated always as identity,
  agency_id bigint not null references transfer_agencies (id),
  endpoint text not null,
  account text not null,
  protocol text not null,
  connector_version integer not null,
  created_at timestamptz not null default now(),
  constraint payment_lines_address unique (agency_id, endpoint, account, protocol, connector_version)
);

-- =======================
-- Money: lists and rounds
-- =======================
-- The list of a decided cohort is frozen, and payments are copies of its rows (Money 5.9).

-- The states of a cohort (Money 5.1).
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

create function cohort_reopened() returns trigger language plpgsql as $$
begin
  if (old.status = 'error' and new.status = 'approved') or (old.stopped_at is not null and new.stopped_at is null) then
    new.reopened_at := now();
  end if;
  return new;
end $$;

-- The fields of the cohort that the approver saw are frozen too.
create function cohort_is_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'the list of cohort % is frozen', old.id using errcode = 'check_violation', constraint = 'transfer_cohorts_frozen';
end $$;

-- A target list with its period. A cohort is listed only once its import is `imported` (Imports 4.3).
create table transfer_cohorts (
  id bigint primary key generated always as identity,
  name text not null,
  description text not null,
  "from" date not null,
  "to" date not null,
  status text not null default 'pending',
  transfer_agency_id bigint not null references transfer_agencies (id),
  transfer_parameter_id bigint not null references transfer_parameters (id),
  import_id bigint not null references imports (id),
  file_hash text not null,
  rounds_total integer not null,
  master_list_count integer not null default 0,
  list_amount bigint not null default 0,
  list_fees bigint not null default 0,
  -- SHA-256 over the rows in their order. The approver approves this hash (Money 5.3).
  list_hash text,
  imported_at timestamptz,
  user_id bigint not null references users (id),
  decided_by bigint references users (id),
  decided_at timestamptz,
  comment text,
  error_reason text,
  -- Set by Stop and cleared by Resume. Nothing is sent while it is set.
  stopped_at timestamptz,
  created_at timestamptz not null default now(),
  -- Random. Keys and references of payments are derived from it (Money 4.5).
  public_id uuid not null default gen_random_uuid(),
  -- Set by a trigger when Retry or Resume opens the cohort again. Unknown payments are then queried first (Money 5.5).
  reopened_at timestamptz,
  constraint transfer_cohorts_import unique (import_id),
  constraint transfer_cohorts_status check (status in ('pending', 'approved', 'rejected', 'error')),
  constraint transfer_cohorts_period check ("to" >= "from"),
  constraint transfer_cohorts_rounds check (rounds_total between 1 and 120),
  constraint transfer_cohorts_decided check ((status = 'pending') = (decided_at is null)),
  constraint transfer_cohorts_imported check (status = 'pending' or imported_at is not null),
  constraint transfer_cohorts_public_id unique (public_id)
);
create unique index transfer_cohorts_same_upload on transfer_cohorts (file_hash, name, "from", "to", transfer_agency_id, transfer_parameter_id) where status <> 'rejected';
create index transfer_cohorts_newest on transfer_cohorts (created_at desc nulls last, id desc nulls last);
create trigger cohort_transition before update on transfer_cohorts for each row execute function cohort_transition();
create trigger cohort_reopened before update on transfer_cohorts for each row execute function cohort_reopened();
create trigger cohort_is_frozen before update on transfer_cohorts for each row
  when (old.status <> 'pending' and (old.list_hash, old.master_list_count, old.list_amount, old.list_fees, old.import_id,
    old.transfer_agency_id, old.transfer_parameter_id, old.public_id) is distinct from (new.list_hash, new.master_list_count, new.list_amount,
    new.list_fees, new.import_id, new.transfer_agency_id, new.transfer_parameter_id, new.public_id))
  execute function cohort_is_frozen();

-- Locks the cohort's row, so that a change of the list and an approval cannot run concurrently.
create function refuse_decided_lists(cohorts bigint[]) returns void language plpgsql as $$
declare decided bigint;
begin
  select id into decided from (
    select id, status from transfer_cohorts where id = any(cohorts) order by id for share
  ) locked where status <> 'pending' limit 1;
  if decided is not null then
    raise exception 'the list of cohort % is frozen', decided using errcode = 'check_violation', constraint = 'transfer_master_list_frozen';
  end if;
end $$;

create function list_is_frozen_insert() returns trigger language plpgsql as $$
begin
  perform refuse_decided_lists(array(select distinct cohort_id from added));
  return null;
end $$;

create function list_is_frozen_update() returns trigger language plpgsql as $$
begin
  perform refuse_decided_lists(array(select cohort_id from added union select cohort_id from removed));
  return null;
end $$;

create function list_is_frozen_delete() returns trigger language plpgsql as $$
begin
  perform refuse_decided_lists(array(select distinct cohort_id from removed));
  return null;
end $$;

-- One recipient of a cohort.
create table transfer_master_list (
  id bigint primary key generated always as identity,
  cohort_id bigint not null references transfer_cohorts (id),
  -- The row number in the spreadsheet.
  "row" integer not null,
  receiver_first_name text not null,
  receiver_last_name text not null,
  -- E.164.
  receiver_phone_number text,
  receiver_account text,
  receiver_bank text,
  student_id bigint not null references students (id),
  student_code text not null,
  -- Per round, in whole francs. `total_amount` = `amount` + `fees` is the cost for the programme (Money 1.5).
  amount bigint not null,
  fees bigint not null,
  total_amount bigint generated always as (amount + fees) stored not null,
  created_at timestamptz not null default now(),
  constraint transfer_master_list_student unique (cohort_id, student_code),
  constraint transfer_master_list_amount check (amount > 0 and fees >= 0),
  constraint transfer_master_list_receiver check (receiver_phone_number is not null or receiver_account is not null)
);
create index transfer_master_list_page on transfer_master_list (cohort_id, id);
create index transfer_master_list_by_student on transfer_master_list (student_id);
create index transfer_master_list_phone on transfer_master_list (cohort_id, receiver_phone_number);
create trigger list_is_frozen_insert after insert on transfer_master_list
  referencing new table as added for each statement execute function list_is_frozen_insert();
create trigger list_is_frozen_update after update on transfer_master_list
  referencing new table as added old table as removed for each statement execute function list_is_frozen_update();
create trigger list_is_frozen_delete after delete on transfer_master_list
  referencing old table as removed for each statement execute function list_is_frozen_delete();

-- The hash of a cohort's list, over its rows in the order of the file.
create function transfer_list_hash(cohort bigint) returns text language sql stable as $$
  select encode(sha256(convert_to(string_agg(jsonb_build_array("row", receiver_first_name, receiver_last_name,
    receiver_phone_number, receiver_account, receiver_bank, student_code, amount, fees)::text, E'\n' order by "row"), 'utf8')), 'hex')
  from transfer_master_list where cohort_id = cohort
$$;

-- Corrections of a number or name. A correction takes effect when a second person approves it (Money 6.1).
create table recipient_corrections (
  id bigint primary key generated always as identity,
  master_list_id bigint not null references transfer_master_list (id),
  old_values jsonb not null,
  new_values jsonb not null,
  user_id bigint not null references users (id),
  approved_by bigint references users (id),
  approved_at timestamptz,
  created_at timestamptz not null default now(),
  constraint recipient_corrections_four_eyes check (approved_by is null or approved_by <> user_id)
);
create unique index recipient_corrections_open on recipient_corrections (master_list_id) where approved_at is null;

-- The plan of a cohort's rounds, written at approval (Money 2.4).
create table transfer_rounds (
  cohort_id bigint not null references transfer_cohorts (id),
  n integer not null,
  due_on date not null,
  state text not null default 'scheduled',
  constraint transfer_rounds_cohort_id_n_pk primary key (cohort_id, n),
  constraint transfer_rounds_state check (state in ('scheduled', 'missed', 'made'))
);
create index transfer_rounds_due on transfer_rounds (due_on) where state = 'scheduled';

-- ===============
-- Money: payments
-- ===============
-- These constraints and triggers keep a payment from being made twice, whatever the code does.

-- Rounds, payments and attempts are never deleted (Money 4.9). A cohort whose import failed has none and may be deleted.
create function money_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never deleted', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- A round is only made if the list still has the hash that was approved.
create function round_is_of_approved_list() returns trigger language plpgsql as $$
begin
  if not exists (select from transfer_cohorts where id = new.cohort_id and list_hash = transfer_list_hash(id)) then
    raise exception 'the list of cohort % is not the one that was approved', new.cohort_id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- A round with unknown payments is not executed (Money 2.8).
create function payroll_group_executed() returns trigger language plpgsql as $$
begin
  new.executed_at := case when new.pending + new.sending + new.unknown = 0 then coalesce(new.executed_at, now()) end;
  return new;
end $$;

-- Disbursement rounds. A trigger on the payments updates the counters in the same transaction (Money 3.3).
create table transfer_payroll_groups (
  id bigint primary key generated always as identity,
  cohort_id bigint not null references transfer_cohorts (id),
  n integer not null,
  due_on date not null,
  total integer not null default 0,
  pending integer not null default 0,
  sending integer not null default 0,
  success integer not null default 0,
  failed integer not null default 0,
  unknown integer not null default 0,
  expected_amount bigint not null default 0,
  pending_amount bigint not null default 0,
  success_amount bigint not null default 0,
  failed_amount bigint not null default 0,
  unknown_amount bigint not null default 0,
  written_off_amount bigint not null default 0,
  success_fees bigint not null default 0,
  executed_at timestamptz,
  created_at timestamptz not null default now(),
  -- When a person or the plan last requested the round. A worker begins it only on its due day or shortly after this time.
  called_at timestamptz not null default now(),
  constraint transfer_payroll_groups_round unique (cohort_id, n),
  constraint transfer_payroll_groups_counts check (pending + sending + success + failed + unknown = total),
  constraint transfer_payroll_groups_amounts check (pending_amount + success_amount + failed_amount + unknown_amount + written_off_amount = expected_amount),
  constraint transfer_payroll_groups_floor check (least(pending, sending, success, failed, unknown) >= 0)
);
create index transfer_payroll_groups_open on transfer_payroll_groups (due_on) where pending + sending + unknown > 0;
create trigger money_is_kept before delete on transfer_payroll_groups for each row execute function money_is_kept();
create trigger payroll_group_executed before update of unknown, pending, sending, executed_at on transfer_payroll_groups
  for each row execute function payroll_group_executed();
create trigger round_is_of_approved_list before insert on transfer_payroll_groups
  for each row execute function round_is_of_approved_list();

-- The reference of a payment at its agency. It is the same on every copy of the database, and has at most the 35
-- characters that ISO 20022 allows.
create function payment_reference(round_id bigint, entry_id bigint) returns text language sql stable as $$
  select left(payment_digest(concat_ws(E'\n', 'reference', c.public_id, coalesce(c.list_hash, ''), g.n, m.student_code)), 32)
  from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id, transfer_master_list m
  where g.id = round_id and m.id = entry_id
$$;

-- The idempotency key of an attempt, a UUID of version 8 derived from the payment's reference and the attempt's number.
create function payment_key(reference text, n integer) returns uuid language sql stable as $$
  select (left(d, 12) || '8' || substr(d, 14, 3) || 'a' || substr(d, 18, 15))::uuid
  from payment_digest(concat_ws(E'\n', 'key', reference, n)) d
$$;

create function payroll_reference() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'payment % cannot change its reference', old.id using errcode = 'check_violation';
  end if;
  new.reference := payment_reference(new.payroll_group_id, new.master_list_id);
  return new;
end $$;

create function payroll_starts_pending() returns trigger language plpgsql as $$
begin
  if new.status <> 'pending' then
    raise exception 'a payment starts pending' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- The states of a payment (Money 4.3). Success is final. A failed payment becomes pending only with a new attempt.
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

-- A payment is a copy of its row of the list.
create function payments_are_of_the_list() returns trigger language plpgsql as $$
begin
  if exists (
    select from added p
    join transfer_payroll_groups g on g.id = p.payroll_group_id
    join transfer_master_list m on m.id = p.master_list_id
    where m.cohort_id <> g.cohort_id or (p.receiver_phone_number, p.receiver_account, p.receiver_bank, p.amount, p.fees)
      is distinct from (m.receiver_phone_number, m.receiver_account, m.receiver_bank, m.amount, m.fees)
  ) then
    raise exception 'a payment differs from its row of the list' using errcode = 'check_violation', constraint = 'transfer_payrolls_of_list';
  end if;
  return null;
end $$;

create function payment_keeps_its_recipient() returns trigger language plpgsql as $$
begin
  raise exception 'payment % cannot change whom it pays', old.id using errcode = 'check_violation', constraint = 'transfer_payrolls_of_list';
end $$;

-- Inserts have their own function, because they have no transition table of old rows. New payments are always pending.
create function payroll_counters_insert() returns trigger language plpgsql as $$
begin
  update transfer_payroll_groups g set
    total = g.total + d.total, pending = g.pending + d.total,
    expected_amount = g.expected_amount + d.amount, pending_amount = g.pending_amount + d.amount
  from (select payroll_group_id, count(*) as total, sum(amount) as amount from added group by payroll_group_id) d
  where g.id = d.payroll_group_id;
  return null;
end $$;

-- Updates the counters of the rounds, with one update per statement and round.
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

-- One payment to one recipient in one round, made at most once (Money 4.1).
create table transfer_payrolls (
  id bigint primary key generated always as identity,
  payroll_group_id bigint not null references transfer_payroll_groups (id),
  master_list_id bigint not null references transfer_master_list (id),
  receiver_first_name text not null,
  receiver_last_name text not null,
  receiver_phone_number text,
  receiver_account text,
  receiver_bank text,
  amount bigint not null,
  fees bigint not null,
  status text not null default 'pending',
  external_trx_id text,
  failure_reason text,
  -- What the agency charged, in whole francs, to compare with its tariff (Money 1.6).
  agency_fees bigint,
  written_off_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The reference at the agency. A trigger derives it (Money 4.5).
  reference text not null,
  -- How often the paying account was empty for this payment. Payments with a lower count are sent first (Money 7.5).
  set_aside integer not null default 0,
  constraint transfer_payrolls_once unique (payroll_group_id, master_list_id),
  constraint transfer_payrolls_status check (status in ('pending', 'sending', 'success', 'failed', 'unknown')),
  constraint transfer_payrolls_amount check (amount > 0 and fees >= 0),
  constraint transfer_payrolls_written_off check (written_off_at is null or status = 'failed'),
  constraint transfer_payrolls_reference unique (reference)
);
create index transfer_payrolls_status on transfer_payrolls (payroll_group_id, status, id);
create index transfer_payrolls_master on transfer_payrolls (master_list_id);
create index transfer_payrolls_to_send on transfer_payrolls (payroll_group_id, set_aside, id) where status = 'pending';
create trigger payroll_counters_insert after insert on transfer_payrolls
  referencing new table as added for each statement execute function payroll_counters_insert();
create trigger payroll_counters_update after update on transfer_payrolls
  referencing new table as added old table as removed for each statement execute function payroll_counters();
create trigger payroll_starts_pending before insert on transfer_payrolls for each row execute function payroll_starts_pending();
create trigger money_is_kept before delete on transfer_payrolls for each row execute function money_is_kept();
create trigger payroll_reference before insert or update of reference on transfer_payrolls
  for each row execute function payroll_reference();
create trigger payments_are_of_the_list after insert on transfer_payrolls
  referencing new table as added for each statement execute function payments_are_of_the_list();
create trigger payment_keeps_its_recipient before update on transfer_payrolls for each row
  when ((old.receiver_first_name, old.receiver_last_name, old.receiver_phone_number, old.receiver_account, old.receiver_bank, old.fees)
    is distinct from (new.receiver_first_name, new.receiver_last_name, new.receiver_phone_number, new.receiver_account,
    new.receiver_bank, new.fees))
  execute function payment_keeps_its_recipient();
create trigger payroll_transition before update on transfer_payrolls for each row
  when (new.amount <> old.amount or new.payroll_group_id <> old.payroll_group_id or new.master_list_id <> old.master_list_id
    or old.status <> new.status and not (
      old.status = 'pending' and new.status = 'sending'
      or old.status = 'sending' and new.status in ('success', 'failed', 'unknown')))
  execute function payroll_transition();

create function attempt_key() returns trigger language plpgsql as $$
begin
  select payment_key(p.reference, new.n) into new.idempotency_key from transfer_payrolls p where p.id = new.payroll_id;
  return new;
end $$;

create function attempt_agency() returns trigger language plpgsql as $$
begin
  select c.transfer_agency_id into new.agency_id
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id
    where p.id = new.payroll_id;
  return new;
end $$;

-- An attempt may change its address only if it was not sent, or if the agency certainly did not execute it.
create function attempt_line() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' and new.state <> 'pending' and new.line_id is distinct from old.line_id then
    raise exception 'attempt % went to another address', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- The key of an attempt never changes. Success and failed are final.
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

-- A new attempt needs the previous one to have failed (Money 4.2).
create function attempt_follows_refusal() returns trigger language plpgsql as $$
begin
  if new.n > 1 and not exists (
    select 1 from payment_attempts a where a.payroll_id = new.payroll_id and a.n = new.n - 1 and a.state = 'failed'
  ) then
    raise exception 'attempt % of payment % needs a refused one before it', new.n, new.payroll_id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create table payment_attempts (
  id bigint primary key generated always as identity,
  payroll_id bigint not null references transfer_payrolls (id),
  n integer not null default 1,
  -- Derived by a trigger from the payment's reference and `n` (Money 4.5).
  idempotency_key uuid not null,
  state text not null default 'pending',
  -- How often the order was sent or queried. The delay before the next query grows with it.
  tries integer not null default 0,
  -- When to query the outcome again, if the state is `unknown`, or `sending` and pending at the agency.
  ask_at timestamptz,
  external_trx_id text,
  reason text,
  user_id bigint references users (id),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  -- A trigger fills it from the cohort if the insert does not set it.
  agency_id bigint references transfer_agencies (id) not null,
  -- The address that the order went to; null until it is sent.
  line_id bigint references payment_lines (id),
  -- When it was first sent there. An agency recognises an idempotency key only for a limited time.
  sent_at timestamptz,
  -- Set if the agency is queried by reference before the order is sent: `due` (not queried yet), `clear` (the agency does
  -- not know it), `held` (the agency knows it, so it is not sent).
  first_asked text constraint payment_attempts_first_asked check (first_asked in ('due', 'clear', 'held')),
  constraint payment_attempts_key unique (idempotency_key),
  constraint payment_attempts_number unique (payroll_id, n),
  constraint payment_attempts_state check (state in ('pending', 'sending', 'success', 'failed', 'unknown'))
);
create unique index payment_attempts_one_open on payment_attempts (payroll_id) where state <> 'failed';
create unique index payment_attempts_transaction on payment_attempts (agency_id, external_trx_id)
  where external_trx_id is not null;
create index payment_attempts_ask on payment_attempts (agency_id, ask_at) where state in ('sending', 'unknown');
create trigger money_is_kept before delete on payment_attempts for each row execute function money_is_kept();
create trigger attempt_key before insert on payment_attempts for each row execute function attempt_key();
create trigger attempt_agency before insert on payment_attempts
  for each row when (new.agency_id is null) execute function attempt_agency();
create trigger attempt_line before update of line_id on payment_attempts
  for each row execute function attempt_line();
create trigger attempt_follows_refusal before insert on payment_attempts for each row
  when (new.n > 1) execute function attempt_follows_refusal();
create trigger attempt_transition before update on payment_attempts for each row
  when (old.state in ('success', 'failed') or new.idempotency_key <> old.idempotency_key
    or new.payroll_id <> old.payroll_id or new.n <> old.n)
  execute function attempt_transition();

-- Responses of agencies that contradict the order or a final state (Money 4.7, Money 4.8). A person looks at them.
create table payment_exceptions (
  id bigint primary key generated always as identity,
  payroll_id bigint not null references transfer_payrolls (id),
  attempt_id bigint not null references payment_attempts (id),
  resolved boolean not null default false,
  created_at timestamptz not null default now(),
  -- Which field contradicts, with the expected and the received value. Each contradiction is stored once.
  kind text not null,
  expected text,
  answered text not null,
  constraint payment_exceptions_kind check (kind in
    ('contradiction', 'key', 'reference', 'amount', 'currency', 'recipient', 'transaction', 'not_found', 'unreadable')),
  constraint payment_exceptions_once unique (attempt_id, kind, answered)
);

-- Payments that agencies reported, in their lists or for a reference. Such a payment is never sent from here, and its
-- transaction cannot settle another payment (Money 8.4).
create table told_payments (
  agency_id bigint not null references transfer_agencies,
  key text not null,
  reference text,
  external_trx_id text,
  refused boolean not null,
  told_at timestamptz not null default now(),
  primary key (agency_id, key)
);
create index told_payments_reference on told_payments (agency_id, reference);
create index told_payments_transaction on told_payments (agency_id, external_trx_id);

create function note_told(agency bigint, payments jsonb) returns void language sql as $$
  insert into told_payments as t (agency_id, key, reference, external_trx_id, refused)
  select distinct on (key) agency, key, reference, external_trx_id, refused
  from jsonb_to_recordset(payments) d (key text, reference text, external_trx_id text, refused boolean)
  on conflict (agency_id, key) do update set reference = coalesce(excluded.reference, t.reference),
    external_trx_id = coalesce(excluded.external_trx_id, t.external_trx_id), refused = excluded.refused, told_at = now()
$$;

-- ==================
-- Money: who decides
-- ==================
-- Four eyes (Money 6.1, Money 6.3).

create function agency_change_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state <> 'proposed' or (new.agency_id, new.endpoint, new.protocol, new.details, new.secrets, new.user_id)
    is distinct from (old.agency_id, old.endpoint, old.protocol, old.details, old.secrets, old.user_id) then
    raise exception 'change % of an agency stays as it was proposed and decided', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Changes of an agency's address and account. One person proposes them, another confirms them (Money 6.3).
create table transfer_agency_changes (
  id bigint primary key generated always as identity,
  agency_id bigint not null references transfer_agencies (id),
  state text not null default 'proposed',
  endpoint text not null,
  protocol text not null,
  details jsonb not null,
  secrets bytea,
  secret_names text[] not null default '{}',
  -- Shown to the person who decides: address, protocol, details, and keyed fingerprints instead of secrets.
  old_values jsonb not null,
  new_values jsonb not null,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  decided_by bigint references users (id),
  decided_at timestamptz,
  -- False only if the installation allows one person to do both, as the demo does (Money 6.2).
  two_people boolean not null default true,
  constraint transfer_agency_changes_state check (state in ('proposed', 'confirmed', 'refused')),
  constraint transfer_agency_changes_decided check ((state = 'proposed') = (decided_by is null) and (state = 'proposed') = (decided_at is null)),
  constraint transfer_agency_changes_two_people check (state <> 'confirmed' or decided_by <> user_id or not two_people)
);
create unique index transfer_agency_changes_one_open on transfer_agency_changes (agency_id) where state = 'proposed';
create index transfer_agency_changes_agency on transfer_agency_changes (agency_id, state);
create trigger agency_change_is_kept before update or delete on transfer_agency_changes
  for each row execute function agency_change_is_kept();

-- Number of attempts at an agency whose outcome is open.
create function agency_open_outcomes(agency bigint) returns bigint language sql stable as $$
  select count(*) from payment_attempts where agency_id = agency and state in ('sending', 'unknown')
$$;

-- The only way to change an agency's address, because the application's role has no right to these columns (migrate.ts).
create function apply_agency_change(change bigint) returns void language plpgsql security definer set search_path = public as $$
declare wanted transfer_agency_changes;
begin
  select * into strict wanted from transfer_agency_changes where id = change and state = 'confirmed';
  perform from transfer_agencies where id = wanted.agency_id for no key update;
  perform from agency_leases where agency_id = wanted.agency_id for update;
  if agency_open_outcomes(wanted.agency_id) > 0 then
    raise exception 'outcomes at agency % are open', wanted.agency_id using errcode = 'check_violation';
  end if;
  if exists (select from transfer_agency_changes where agency_id = wanted.agency_id and id > change and state = 'confirmed') then
    raise exception 'change % is not the latest', change using errcode = 'check_violation';
  end if;
  update transfer_agencies set endpoint = wanted.endpoint, protocol = wanted.protocol, details = wanted.details,
    secrets = wanted.secrets, secret_names = wanted.secret_names, updated_at = now()
  where id = wanted.agency_id;
  -- The worker that has the lease uses the old address. With a new fencing token it cannot claim more payments.
  update agency_leases set fence = fence + 1, owner = null, lease_until = null where agency_id = wanted.agency_id;
end $$;
revoke all on function apply_agency_change(bigint) from public;

-- The demo's sandbox agency may start on another port.
create function move_demo_agency(url text) returns void language sql security definer set search_path = public as $$
  update transfer_agencies set endpoint = url, updated_at = now()
  where protocol = 'sandbox' and endpoint ~ '^http://127\.0\.0\.1:' and url ~ '^http://127\.0\.0\.1:' and endpoint <> url
    and exists (select from installation where filled_as = 'demo')
$$;
revoke all on function move_demo_agency(text) from public;

-- Everybody who influenced what a cohort pays, to whom or through whom. None of them may decide on it (Money 6.1).
create function cohort_touched_by(cohort bigint) returns table (user_id bigint, how text) language sql stable as $$
  select c.user_id, 'uploaded' from transfer_cohorts c where c.id = cohort
  union
  select i.confirmed_by, 'confirmed' from transfer_cohorts c join imports i on i.id = c.import_id
  where c.id = cohort and i.confirmed_by is not null
  union
  select k.user_id, 'corrected' from transfer_cohorts c join import_corrections k on k.import_id = c.import_id where c.id = cohort
  union
  select a.user_id, 'agency' from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id where c.id = cohort
  union
  select x.user_id, 'agency' from transfer_cohorts c join transfer_agency_changes x on x.agency_id = c.transfer_agency_id
  where c.id = cohort and x.state = 'confirmed'
  union
  select p.user_id, 'parameter' from transfer_cohorts c join transfer_parameters p on p.id = c.transfer_parameter_id
  where c.id = cohort
  union
  select r.user_id, 'recipient' from transfer_master_list m join recipient_corrections r on r.master_list_id = m.id
  where m.cohort_id = cohort
$$;

-- ==============
-- Money: holding
-- ==============
-- After a discontinuity the database may not know its last payments, so nothing is sent
-- (docs/decisions/0032-hold-after-a-discontinuity.md).

create function sending_timeline() returns text language sql stable as $$
  select substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
$$;

-- A text that changes when the server is restarted, promoted or replaced, and when the database is a copy.
create function sending_incarnation() returns text language sql stable as $$
  select concat_ws(' ', sending_timeline(), extract(epoch from pg_postmaster_start_time()),
    (select oid from pg_database where datname = current_database()))
$$;

-- How far sending has come. Workers compare it with the file sending-mark.json, which lies outside of the database.
create table sending_marks (
  only_row boolean primary key default true check (only_row),
  counter bigint not null default 0,
  -- `sending_incarnation()` at the last comparison.
  incarnation text,
  at timestamptz,
  -- How long after the start of a hold an order may still be in flight: the rest of a lease plus the longest call.
  line_seconds integer not null default 35 check (line_seconds >= 0)
);
insert into sending_marks default values;

-- When no order can be in flight any more. Before that an agency might answer that it does not know an order which then
-- arrives.
create function line_is_clear() returns timestamptz language sql stable as $$
  select now() + make_interval(secs => coalesce((select line_seconds from sending_marks), 35))
$$;

-- Holds. Nothing is sent until the agencies were queried about the payments of open rounds and a person released the hold.
create table sending_holds (
  id bigint primary key generated always as identity,
  reasons text[] not null,
  -- The last time at which the database agreed with what was sent.
  known_until timestamptz not null,
  raised_at timestamptz not null default now(),
  released_at timestamptz,
  released_by bigint references users,
  asks_from timestamptz not null default line_is_clear(),
  check ((released_at is null) = (released_by is null)),
  constraint sending_holds_reasons_check check (reasons <> '{}'
    and reasons <@ array['behind', 'timeline', 'server', 'mark_missing', 'mark_unreadable', 'absence', 'clock', 'moved'])
);
create unique index sending_holds_one_open on sending_holds ((true)) where released_at is null;

-- Rounds that were open. If the agency cannot be queried (`failure`), a person confirms that the round may go on.
create table sending_hold_rounds (
  hold_id bigint not null references sending_holds,
  payroll_group_id bigint not null references transfer_payroll_groups,
  failure text,
  confirmed_by bigint references users,
  confirmed_at timestamptz,
  primary key (hold_id, payroll_group_id),
  constraint sending_hold_rounds_failure_check check (failure in ('cannot_ask', 'unreachable', 'moved'))
);

create table sending_hold_questions (
  hold_id bigint not null,
  payroll_group_id bigint not null,
  agency_id bigint not null references transfer_agencies,
  payroll_id bigint not null references transfer_payrolls,
  ask_at timestamptz not null default line_is_clear(),
  tries integer not null default 0,
  answer text check (answer in ('not_found', 'success', 'failed', 'processing', 'differs')),
  primary key (hold_id, payroll_id),
  foreign key (hold_id, payroll_group_id) references sending_hold_rounds
);
create index sending_hold_questions_due on sending_hold_questions (hold_id, agency_id, ask_at) where answer is null or answer = 'processing';
create index sending_hold_questions_round on sending_hold_questions (hold_id, payroll_group_id);

-- How far each agency's list of payments has been read.
create table sending_hold_lists (
  hold_id bigint not null references sending_holds,
  agency_id bigint not null references transfer_agencies,
  after bigint not null default 0,
  payments integer not null default 0,
  state text not null default 'reading' check (state in ('reading', 'read', 'no_list', 'unreachable')),
  ask_at timestamptz not null default line_is_clear(),
  -- True if the agency moved after the backup was taken. The database then has the old address and cannot query what was
  -- sent to the new one.
  moved boolean not null default false,
  primary key (hold_id, agency_id)
);

-- Differences between the agency's records and the database, one row per payment.
create table sending_hold_differences (
  id bigint primary key generated always as identity,
  hold_id bigint not null references sending_holds,
  agency_id bigint not null references transfer_agencies,
  kind text not null check (kind in ('unknown_here', 'learned', 'differs')),
  payroll_id bigint references transfer_payrolls,
  key text not null,
  reference text,
  external_trx_id text,
  phone text,
  amount bigint,
  state text not null,
  at timestamptz,
  created_at timestamptz not null default now(),
  unique (hold_id, agency_id, key)
);
create index sending_hold_differences_page on sending_hold_differences (hold_id, id);

-- Whether payments may be claimed: there is no hold, and a worker compared the marks within the last 15 seconds.
create function sending_allowed() returns boolean language sql stable as $$
  select not exists (select from sending_holds where released_at is null)
    and exists (select from sending_marks where incarnation = sending_incarnation() and at > now() - interval '15 seconds')
$$;

-- Whether a round is missed. A round that was made counts as missed if its day passed during a hold; nothing of it is sent
-- until a person starts it.
create function round_is_missed(round_cohort bigint, round_n integer) returns boolean language sql stable as $$
  select exists (select from transfer_rounds r where r.cohort_id = round_cohort and r.n = round_n and r.state = 'missed')
$$;

-- Whether a lost database may have sent this payment: its list and its day are older than a hold that did not query it.
-- The agency is then queried by reference before the payment is first sent (Money 8.4).
create function payment_is_asked_first(payment bigint, round bigint) returns boolean language sql stable as $$
  select exists (
    select from sending_holds h, transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
    where g.id = round and c.created_at <= h.raised_at and g.due_on <= (h.raised_at at time zone 'utc')::date + 1
      and not exists (select from sending_hold_questions q
        where q.hold_id = h.id and q.payroll_id = payment and q.answer is not null))
$$;

-- =====
-- Cases
-- =====
-- docs/rules/cases.md.

-- The last case number of each year. The row is locked while a case is filed, so that numbers have no gaps.
create table case_numbers (
  year int primary key,
  last int not null check (last > 0)
);

-- Cases. In calls and responses a case is a `complain`.
create table cases (
  id bigint primary key generated always as identity,
  number text not null,
  title text not null,
  description text not null,
  status text not null default 'new',
  priority text not null,
  type_id bigint not null references reference_values (id),
  channel_id bigint not null references reference_values (id),
  -- The reviewer, an active account with `cases.manage`.
  assigned_id bigint not null references users (id),
  -- Who filed it.
  user_id bigint not null references users (id),
  plaintiff text,
  verdict text,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  search text generated always as (portal_search(number || ' ' || title || ' ' || description)) stored,
  constraint cases_number_key unique (number),
  constraint cases_status_check check (status in ('new', 'open', 'in_progress', 'resolved', 'rejected')),
  constraint cases_priority_check check (priority in ('low_1_month', 'medium_1_week', 'high_1_day')),
  constraint cases_decided_check check ((decided_at is null) = (status in ('new', 'open', 'in_progress')))
);
create index cases_newest_index on cases (created_at, id);
create index cases_assigned_id_index on cases (assigned_id);
create index cases_user_id_index on cases (user_id);
create index cases_search_index on cases using gin (search gin_trgm_ops);

-- The history of a case: activities and changes of status.
create table case_events (
  id bigint primary key generated always as identity,
  case_id bigint not null references cases (id),
  status text not null,
  note text,
  channel_id bigint references reference_values (id),
  user_id bigint references users (id),
  created_at timestamptz not null default now(),
  act text not null default 'activity'
  check (act in ('filed', 'document', 'activity', 'assigned', 'referred', 'revoked', 'answered', 'declined', 'expired', 'resolved', 'rejected')),
  constraint case_events_status_check check (status in ('new', 'open', 'in_progress', 'resolved', 'rejected'))
);
create index case_events_case_id_index on case_events (case_id, id);

create table case_tags (
  case_id bigint not null references cases (id) on delete cascade,
  tag_id bigint not null references reference_values (id),
  constraint case_tags_key primary key (case_id, tag_id)
);
create index case_tags_tag_id_index on case_tags (tag_id);

-- Questions to external consultants. The random token of the invite link is stored hashed (Cases 4.1).
create table referrals (
  id bigint primary key generated always as identity,
  case_id bigint not null references cases (id),
  number text not null,
  comment text not null,
  salutation text not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  profession text not null,
  user_id bigint not null references users (id),
  invite_hash bytea not null,
  expires_at timestamptz not null default now() + interval '30 days',
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  rejected_at timestamptz,
  revoked_at timestamptz,
  expired_at timestamptz,
  constraint referrals_number_key unique (number),
  constraint referrals_invite_hash_key unique (invite_hash),
  constraint referrals_salutation_check check (salutation in ('mr', 'mrs', 'miss', 'prof', 'dr')),
  constraint referrals_end_check check (num_nonnulls(resolved_at, rejected_at, revoked_at, expired_at) <= 1)
);
create unique index referrals_open_key on referrals (case_id) where coalesce(resolved_at, rejected_at, revoked_at, expired_at) is null;
create index referrals_case_id_index on referrals (case_id);

-- Documents of a case.
create table case_documents (
  id bigint primary key generated always as identity,
  case_id bigint not null references cases (id),
  file_id bigint not null references files (id),
  description text not null,
  -- The referral whose consultant sent it; null for documents of the staff.
  from_referral_id bigint references referrals (id),
  user_id bigint references users (id),
  created_at timestamptz not null default now(),
  constraint case_documents_file_id_key unique (file_id)
);
create index case_documents_case_id_index on case_documents (case_id, id);
create index case_documents_referral_index on case_documents (from_referral_id);

-- The documents of the case that a consultant may read (`document_ids[]`).
create table referral_documents (
  referral_id bigint not null references referrals (id) on delete cascade,
  document_id bigint not null references case_documents (id),
  constraint referral_documents_key primary key (referral_id, document_id)
);
create index referral_documents_document_id_index on referral_documents (document_id);

-- A consultant's answer.
create table referral_notes (
  id bigint primary key generated always as identity,
  referral_id bigint not null references referrals (id),
  note text not null,
  document_id bigint references case_documents (id),
  created_at timestamptz not null default now()
);
create index referral_notes_referral_id_index on referral_notes (referral_id, id);

-- ===================
-- Messages of devices
-- ===================
-- docs/rules/messages.md.

-- Bearer tokens of devices and gateways, stored hashed.
create table sync_tokens (
  id bigint primary key generated always as identity,
  name text not null,
  token_hash bytea not null,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create unique index sync_tokens_token_hash_key on sync_tokens (token_hash);

-- Messages of devices, unique by their own id (Messages 1.2). Processed messages leave the log and stay in the table.
create table synced_messages (
  id bigint primary key generated always as identity,
  message_id text not null,
  sync_token_id bigint references sync_tokens (id),
  entity_type text not null,
  action text not null,
  -- As it was sent. The type is json, because jsonb would change the order of the fields.
  data json not null,
  -- The device's time, or the time of arrival if the device was more than 10 minutes ahead.
  created_at timestamptz not null default now(),
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  -- Why it could not be processed. A person can try it again.
  error jsonb
);
create unique index synced_messages_message_id_key on synced_messages (message_id);
create index synced_messages_open_index on synced_messages (id) where processed_at is null;
-- For the worker. The index above also has failed messages, for the log.
create index synced_messages_waiting_index on synced_messages (id) where processed_at is null and error is null;

-- Attendance as reported: learners once per school, date and class, teachers once per school and date. A withdrawn report
-- keeps its row, so that an older report that arrives later does not restore it.
create table attendance (
  id bigint primary key generated always as identity,
  school_id bigint not null references schools (id),
  date date not null,
  who text not null,
  -- The class, for learners; empty for teachers.
  class text not null default '',
  enrolled integer not null,
  present integer not null,
  reported_at timestamptz not null,
  message_id bigint references synced_messages (id),
  -- The message's own id. Of two reports with the same time the one with the greater id wins, in any order of arrival.
  message_key text not null default '',
  withdrawn boolean not null default false,
  constraint attendance_who_check check (who in ('learners', 'teachers')),
  constraint attendance_class_check check ((who = 'teachers') = (class = '')),
  constraint attendance_present_check check (present between 0 and enrolled)
);
create unique index attendance_key on attendance (school_id, date, who, class);
create index attendance_date_index on attendance (date, school_id, who, enrolled, present, message_id) where not withdrawn;

-- =======
-- Modules
-- =======

-- Loads and failures of modules, as browsers report them. Rows are kept for 30 days.
create table module_reports (
  id bigint primary key generated always as identity,
  kind text not null,
  module text not null,
  version text not null,
  build text not null,
  -- For a load: the time from the click to the page.
  ms integer,
  -- For a load: bytes over the network; zero from the browser's cache.
  bytes integer,
  reason text,
  -- The reference that was shown to the person (Modules 3.3).
  reference text,
  message text,
  path text,
  search text generated always as (portal_search(coalesce(reference, '') || ' ' || coalesce(reason, '') || ' '
    || coalesce(message, '') || ' ' || coalesce(path, '') || ' ' || version)) stored,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  constraint module_reports_kind_check check (kind in ('load', 'error')),
  constraint module_reports_load_check check (kind <> 'load' or (ms is not null and bytes is not null)),
  constraint module_reports_error_check check (kind <> 'error' or (reason is not null and reference is not null))
);
create index module_reports_created_at_index on module_reports (created_at);
create index module_reports_loads_index on module_reports (module, created_at) include (ms, bytes) where kind = 'load';
create index module_reports_errors_index on module_reports (module, id) where kind = 'error';
-- A report that a browser sends twice is stored once.
create unique index module_reports_reference_key on module_reports (reference);
create index module_reports_user_id_index on module_reports (user_id, created_at);

-- Records of modules without a server (Modules 4.1). `words` is the text that is searched.
create table module_records (
  id bigint primary key generated always as identity,
  module text not null,
  collection text not null,
  data jsonb not null,
  words text not null,
  search text generated always as (portal_search(words)) stored,
  version integer not null default 1,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index module_records_place_index on module_records (module, collection, id);
create index module_records_updated_at_index on module_records (module, collection, updated_at, id);
create index module_records_search_index on module_records using gin (search gin_trgm_ops);

-- ====================
-- Totals of long lists
-- ====================
-- The total of a list is the sum of its rows here. Triggers insert one row per statement with the difference, so writers do
-- not wait for each other.

create table list_totals (
  id bigint primary key generated always as identity,
  name text not null,
  rows bigint not null
);
create index list_totals_name_index on list_totals (name);

create function count_inserted() returns trigger language plpgsql as $$
declare n bigint;
begin
  select count(*) into n from changed;
  if n > 0 then insert into list_totals (name, rows) values (tg_table_name, n); end if;
  return null;
end $$;

create function count_deleted() returns trigger language plpgsql as $$
declare n bigint;
begin
  select count(*) into n from changed;
  if n > 0 then insert into list_totals (name, rows) values (tg_table_name, -n); end if;
  return null;
end $$;

create function count_truncated() returns trigger language plpgsql as $$
begin
  delete from list_totals where name = tg_table_name;
  return null;
end $$;

do $$
declare counted text;
begin
  foreach counted in array array['schools', 'students', 'parents', 'teachers', 'partners', 'arrondissements', 'caps', 'cases', 'audits', 'roles'] loop
    execute format('create trigger %I after insert on %I referencing new table as changed for each statement execute function count_inserted()', counted || '_count_in', counted);
    execute format('create trigger %I after delete on %I referencing old table as changed for each statement execute function count_deleted()', counted || '_count_out', counted);
    execute format('create trigger %I after truncate on %I for each statement execute function count_truncated()', counted || '_count_none', counted);
  end loop;
end $$;
