-- What each night deleted, by kind. A worker takes a night by a lease, which it renews with every batch.
create table retention_runs (
  day date primary key,
  leased_until timestamptz not null,
  counts jsonb not null default '{}',
  finished_at timestamptz
);
