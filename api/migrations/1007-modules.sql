-- Permissions that modules declare stand beside the portal's own; `module` says whose they are.
alter table permissions add column module text;
alter table permissions add column label jsonb;

-- How modules fare in browsers: a row for each load and each failure, kept for 30 days.
create table module_reports (
  id bigint generated always as identity primary key,
  kind text not null,
  module text not null,
  version text not null,
  build text not null,
  ms integer,
  bytes integer,
  reason text,
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
-- A report that a browser sends twice is one.
create unique index module_reports_reference_key on module_reports (reference);
create index module_reports_user_id_index on module_reports (user_id, created_at);

-- What a module without a server of its own keeps in the portal.
create table module_records (
  id bigint generated always as identity primary key,
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
