-- What somebody is about to do to the registry of modules, committed before the registry changes (decision 218). The transaction with the
-- audit row deletes it. What a process leaves here when it dies is looked up in the registry by a worker, which writes the missing audit row.
create table registry_steps (
  -- The registry keeps it with what the step made.
  id uuid primary key default gen_random_uuid(),
  event text not null,
  module text not null,
  -- What the step is about: an admission or a decision about trust has a build, the others have the generation that they follow.
  build text,
  generation bigint,
  author jsonb not null,
  changes jsonb not null,
  created_at timestamptz not null default now(),
  constraint registry_steps_subject check (num_nonnulls(build, generation) = 1)
);
