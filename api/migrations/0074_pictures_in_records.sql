-- Pictures in records of modules (decision 187). A form sends a picture before its record is saved; until then it is in none.
-- `data` of the record names it by this id.
create table record_pictures (
  id bigint primary key generated always as identity,
  module text not null,
  collection text not null,
  -- As it is looked at, and as lists draw it.
  file_id bigint not null references files (id),
  small_file_id bigint not null references files (id),
  -- Of both files.
  bytes bigint not null,
  -- Null for one that no record has yet, or whose record was deleted: the nightly job takes it away.
  record_id bigint references module_records (id) on delete set null,
  -- The same for records of a developer's sandbox.
  sandbox_id bigint references module_sandboxes (id) on delete set null,
  sandbox_record_id bigint references sandbox_records (id) on delete set null,
  -- Who sent it, and with which token of the module: only they put it into a record.
  user_id bigint not null references users (id),
  token_id bigint references module_tokens (id),
  created_at timestamptz not null default now(),
  constraint record_pictures_file_id_key unique (file_id),
  constraint record_pictures_small_file_id_key unique (small_file_id)
);
create index record_pictures_place_index on record_pictures (module, collection);
create index record_pictures_record_index on record_pictures (record_id) where record_id is not null;
create index record_pictures_sandbox_index on record_pictures (sandbox_id) where sandbox_id is not null;
create index record_pictures_sandbox_record_index on record_pictures (sandbox_record_id) where sandbox_record_id is not null;
create index record_pictures_waiting_index on record_pictures (created_at) where record_id is null and sandbox_record_id is null;
create index record_pictures_user_index on record_pictures (user_id);
create index record_pictures_token_index on record_pictures (token_id) where token_id is not null;
