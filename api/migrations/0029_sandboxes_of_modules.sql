-- Records of a module that runs from its developer's machine (decision 111): each person's own, apart from live records.
create table module_sandboxes (
  id bigint primary key generated always as identity,
  module text not null,
  user_id bigint not null references users (id),
  -- The collections of the developer's build.
  collections jsonb not null,
  opened_at timestamptz not null default now(),
  constraint module_sandboxes_key unique (user_id, module)
);
create table sandbox_records (
  id bigint primary key generated always as identity,
  sandbox_id bigint not null references module_sandboxes (id) on delete cascade,
  collection text not null,
  data jsonb not null,
  words text not null,
  search text generated always as (portal_search(words)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sandbox_records_place_index on sandbox_records (sandbox_id, collection, id);
