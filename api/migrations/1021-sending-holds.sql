-- How far sending has come, to be compared with the same mark outside of the database (the file sending-mark.json).
create table sending_marks (
  only_row boolean primary key default true check (only_row),
  counter bigint not null default 0,
  -- Which run of which server this database was on when a worker last compared the two.
  incarnation text,
  at timestamptz
);
insert into sending_marks default values;

create function sending_timeline() returns text language sql stable as $$
  select substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
$$;
-- Changes when the server is restarted, promoted or another one, and when the database is a copy.
create function sending_incarnation() returns text language sql stable as $$
  select concat_ws(' ', sending_timeline(), extract(epoch from pg_postmaster_start_time()),
    (select oid from pg_database where datname = current_database()))
$$;
-- From here on nothing is sent until the entries of open rounds were asked about and a person released it.
create table sending_holds (
  id bigint primary key generated always as identity,
  reasons text[] not null check (reasons <> '{}'
    and reasons <@ array['behind', 'timeline', 'server', 'mark_missing', 'mark_unreadable', 'absence', 'clock']),
  -- Until when the database is known to go together with what was sent.
  known_until timestamptz not null,
  raised_at timestamptz not null default now(),
  released_at timestamptz,
  released_by bigint references users,
  check ((released_at is null) = (released_by is null))
);
create unique index sending_holds_one_open on sending_holds ((true)) where released_at is null;

-- Rounds that were open; where the agency could not be asked, a person confirms that the round may go on.
create table sending_hold_rounds (
  hold_id bigint not null references sending_holds,
  payroll_group_id bigint not null references transfer_payroll_groups,
  failure text check (failure in ('cannot_ask', 'unreachable')),
  confirmed_by bigint references users,
  confirmed_at timestamptz,
  primary key (hold_id, payroll_group_id)
);
create table sending_hold_questions (
  hold_id bigint not null,
  payroll_group_id bigint not null,
  agency_id bigint not null references transfer_agencies,
  payroll_id bigint not null references transfer_payrolls,
  ask_at timestamptz not null default now(),
  tries integer not null default 0,
  answer text check (answer in ('not_found', 'success', 'failed', 'processing', 'differs')),
  primary key (hold_id, payroll_id),
  foreign key (hold_id, payroll_group_id) references sending_hold_rounds
);
create index sending_hold_questions_due on sending_hold_questions (hold_id, agency_id, ask_at) where answer is null or answer = 'processing';
create index sending_hold_questions_round on sending_hold_questions (hold_id, payroll_group_id);

-- How far each agency's own list of payments was read.
create table sending_hold_lists (
  hold_id bigint not null references sending_holds,
  agency_id bigint not null references transfer_agencies,
  after bigint not null default 0,
  payments integer not null default 0,
  state text not null default 'reading' check (state in ('reading', 'read', 'no_list', 'unreachable')),
  ask_at timestamptz not null default now(),
  primary key (hold_id, agency_id)
);

-- What the agency says against the database, each payment once.
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

-- Nothing is claimed unless a worker has just found that the database goes on from the mark outside of it.
create function sending_allowed() returns boolean language sql stable as $$
  select not exists (select from sending_holds where released_at is null)
    and exists (select from sending_marks where incarnation = sending_incarnation() and at > now() - interval '15 seconds')
$$;

-- A round that was made and whose day passed during a hold counts as missed: nothing of it is sent until a person starts it.
create function round_is_missed(round_cohort bigint, round_n integer) returns boolean language sql stable as $$
  select exists (select from transfer_rounds r where r.cohort_id = round_cohort and r.n = round_n and r.state = 'missed')
$$;
