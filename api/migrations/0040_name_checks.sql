-- What agencies say of the names of holders (Money 5.19). An answer informs a person and refuses nothing.

create table name_answers (
  id bigint primary key generated always as identity,
  agency_id bigint not null references transfer_agencies (id),
  -- Keyed hashes: of number and expected name, so that nobody is asked about twice, and of the number, for the agency's limit.
  subject bytea not null,
  number bytea not null,
  -- The expected name and the one that the agency tells, sealed.
  names bytea not null,
  outcome text not null,
  -- Whether the holder's limits allowed the amount; null where the agency does not say it.
  within_limits boolean,
  answered_at timestamptz not null default now(),
  constraint name_answers_subject unique (agency_id, subject),
  constraint name_answers_outcome check (outcome in ('match', 'near', 'different', 'not_found', 'not_told'))
);
create index name_answers_number on name_answers (agency_id, number, answered_at);
create index name_answers_old on name_answers (answered_at);

-- Which answers are about which row of a list. The current one is about the number and name that would be paid.
create table name_answer_rows (
  master_list_id bigint not null references transfer_master_list (id),
  answer_id bigint not null references name_answers (id) on delete cascade,
  current boolean not null,
  linked_at timestamptz not null default now(),
  constraint name_answer_rows_pkey primary key (master_list_id, answer_id)
);
create unique index name_answer_rows_current on name_answer_rows (master_list_id) where current;
create index name_answer_rows_answer on name_answer_rows (answer_id);

-- A check of a whole list. A worker goes through it by a lease; `after_id` is the last row that it has looked at.
create table name_checks (
  id bigint primary key generated always as identity,
  cohort_id bigint not null references transfer_cohorts (id),
  agency_id bigint not null references transfer_agencies (id),
  state text not null default 'running',
  total integer not null,
  done integer not null default 0,
  -- Rows without an answer of their own, such as a number that the agency could not be asked about.
  unanswered integer not null default 0,
  after_id bigint not null default 0,
  -- How often the agency has not answered since its last answer, and when it is asked again.
  tries integer not null default 0,
  ask_at timestamptz not null default now(),
  leased_until timestamptz,
  fence integer not null default 0,
  -- Why it failed.
  problem text,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint name_checks_state check (state in ('running', 'finished', 'cancelled', 'failed')),
  constraint name_checks_ended check ((state = 'running') = (ended_at is null)),
  constraint name_checks_problem check (problem in ('refused', 'no_answer', 'not_offered') and state = 'failed' or problem is null),
  constraint name_checks_counts check (total >= 0 and unanswered >= 0 and done between unanswered and total)
);
create unique index name_checks_running on name_checks (cohort_id) where state = 'running';
create index name_checks_agency on name_checks (agency_id, id) where state = 'running';
create index name_checks_cohort on name_checks (cohort_id, id);
