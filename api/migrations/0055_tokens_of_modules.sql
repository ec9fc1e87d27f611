-- Tokens with which a team's own server calls for the records of its module (decision 141). Only hashes are stored.
create table module_tokens (
  id bigint primary key generated always as identity,
  module text not null,
  name text not null,
  token_hash bytea not null,
  -- Collections that it may read, and those that it may also write.
  read text[] not null,
  write text[] not null,
  -- Who made it.
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint module_tokens_token_hash_key unique (token_hash)
);
create index module_tokens_module_index on module_tokens (module, id);

-- The token by which a record was made; `user_id` is then whoever made the token. No foreign key: checking it would read the table whole.
alter table module_records add column token_id bigint;
