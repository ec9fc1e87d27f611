-- Who has a switch of a module that its manifest declares (decision 146). Without a row it is as its team has set it.
create table module_flags (
  module text not null,
  flag text not null,
  who text not null,
  -- Of those who have it by `some`: these roles, and so many of a hundred people.
  roles bigint[] not null default '{}',
  percent integer not null default 0,
  version integer not null default 1,
  -- Who decided it last.
  user_id bigint not null references users (id),
  updated_at timestamptz not null default now(),
  primary key (module, flag),
  constraint module_flags_who_check check (who in ('declared', 'everybody', 'nobody', 'some')),
  constraint module_flags_percent_check check (percent between 0 and 99)
);
