-- The secrets that this database was sealed and signed with (decision 0092). None of them is here: `id` and `verifier` are
-- derived from a secret, to tell whether a process has the right one. `n` counts them; what carries no key id is of the first.
create table secret_keys (
  id text primary key,
  n integer not null,
  verifier bytea not null,
  first_used_at timestamptz not null default now(),
  -- The key that still verifies the audit rows of this secret, sealed with the present secret, so that the former one can be
  -- thrown away.
  audit_key bytea,
  -- Nothing is sealed with this secret any more, and no audit row after `last_audit_id` is.
  retired_at timestamptz,
  last_audit_id bigint,
  constraint secret_keys_n unique (n),
  constraint secret_keys_id check (id ~ '^[0-9a-f]{8}$'),
  constraint secret_keys_retired check ((retired_at is null) = (last_audit_id is null)),
  constraint secret_keys_audit_key check (retired_at is null or audit_key is not null)
);

-- The first start of a portal on this database. The application's role adds no other key: `npm run secret:rotate` does.
create function add_first_secret_key(key_id text, key_verifier bytea) returns void
language sql security definer set search_path = public as $$
  insert into secret_keys (id, n, verifier) values (key_id, 1, key_verifier) on conflict do nothing
$$;
revoke all on function add_first_secret_key(text, bytea) from public;

-- A process with another secret, or with one that has been replaced, cannot write to the log. Seals begin with 4 octets of key
-- id; those of releases before this one are 32 octets long and have none.
create function audit_is_sealed_with_a_known_key() returns trigger language plpgsql as $$
begin
  if octet_length(new.seal) = 36 then
    perform from secret_keys where id = encode(substring(new.seal from 1 for 4), 'hex') and retired_at is null;
    if found then return new; end if;
  elsif not exists (select from secret_keys where n = 1 and retired_at is not null) then
    return new;
  end if;
  raise exception 'the secret of this process is not known to the database, or has been replaced: start it with the present PORTAL_SECRET'
    using errcode = 'check_violation', constraint = 'audits_known_key';
end $$;
create trigger audit_is_sealed_with_a_known_key before insert on audits
  for each row execute function audit_is_sealed_with_a_known_key();

-- The credentials of an agency are sealed again as the owner, which is no change of the agency.
drop trigger transfer_agencies_version on transfer_agencies;
create trigger transfer_agencies_version before update on transfer_agencies for each row
  when ((old.status, old.endpoint, old.protocol, old.details, old.secrets)
    is distinct from (new.status, new.endpoint, new.protocol, new.details, new.secrets)
    and coalesce(current_setting('portal.maintenance', true), '') <> 'on')
  execute function count_version();

-- Those of a proposed or decided change, too. The application's role may not update `secrets` (migrate.ts).
create or replace function agency_change_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and coalesce(current_setting('portal.maintenance', true), '') = 'on'
    and to_jsonb(new) - 'secrets' = to_jsonb(old) - 'secrets' and (new.secrets is null) = (old.secrets is null) then
    return new;
  end if;
  if tg_op = 'DELETE' or old.state <> 'proposed' or (new.agency_id, new.endpoint, new.protocol, new.details, new.secrets, new.user_id)
    is distinct from (old.agency_id, old.endpoint, old.protocol, old.details, old.secrets, old.user_id) then
    raise exception 'change % of an agency stays as it was proposed and decided', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
