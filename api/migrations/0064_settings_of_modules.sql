-- What an administrator has set of the settings that a module's manifest declares (decision 149). What is missing is as declared.
create table module_settings (
  module text primary key,
  -- By name. Settings that the live version no longer declares stay, for the version before.
  settings jsonb not null,
  version integer not null default 1,
  -- Who changed them last.
  user_id bigint not null references users (id),
  updated_at timestamptz not null default now(),
  constraint module_settings_settings_check check (jsonb_typeof(settings) = 'object')
);
