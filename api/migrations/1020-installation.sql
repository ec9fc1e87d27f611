-- Which installation this database belongs to. The id also stands outside of the database (PORTAL_INSTALLATION or a
-- file in the data folder); nothing starts where the two differ.
create function hmac_pad(secret bytea, filler integer) returns bytea language plpgsql immutable strict as $$
declare
  pad bytea := secret || decode(repeat('00', 64 - length(secret)), 'hex');
begin
  for i in 0..63 loop
    pad := set_byte(pad, i, get_byte(pad, i) # filler);
  end loop;
  return pad;
end $$;
create function payment_secret(installation uuid) returns bytea language sql immutable strict as $$
  select sha256(convert_to('portal payment keys ' || installation::text, 'utf8'))
$$;
create table installation_identity (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  -- The two halves of HMAC's key, so that no payment pays for making them.
  inner_pad bytea not null generated always as (hmac_pad(payment_secret(id), 54)) stored,
  outer_pad bytea not null generated always as (hmac_pad(payment_secret(id), 92)) stored,
  -- When the id was first written or found outside of the database; it never changes afterwards.
  adopted_at timestamptz
);
insert into installation_identity default values;

create function installation_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.adopted_at is not null then
    raise exception 'the installation of a database never changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger installation_kept before update or delete on installation_identity
  for each row execute function installation_kept();

-- HMAC-SHA-256 of a text under this installation, in hexadecimal.
create function payment_digest(message text) returns text language sql stable as $$
  select encode(sha256(outer_pad || sha256(inner_pad || convert_to(message, 'utf8'))), 'hex') from installation_identity
$$;

-- A cohort's own name for keys and references; a sequence would be handed out again after a restored backup.
alter table transfer_cohorts add column public_id uuid;
update transfer_cohorts set public_id = md5('cohort ' || id || ' ' || created_at || ' ' || coalesce(list_hash, ''))::uuid;
alter table transfer_cohorts alter column public_id set default gen_random_uuid(), alter column public_id set not null,
  add constraint transfer_cohorts_public_id unique (public_id);

-- What an agency knows a payment by: the same on every copy of the database, at most 35 characters as ISO 20022 has it.
create function payment_reference(round_id bigint, entry_id bigint) returns text language sql stable as $$
  select left(payment_digest(concat_ws(E'\n', 'reference', c.public_id, coalesce(c.list_hash, ''), g.n, m.student_code)), 32)
  from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id, transfer_master_list m
  where g.id = round_id and m.id = entry_id
$$;
-- The key of an attempt follows from its payment's reference and its number (a UUID of version 8).
create function payment_key(reference text, n integer) returns uuid language sql stable as $$
  select (left(d, 12) || '8' || substr(d, 14, 3) || 'a' || substr(d, 18, 15))::uuid
  from payment_digest(concat_ws(E'\n', 'key', reference, n)) d
$$;

alter table transfer_payrolls add column reference text;
-- What agencies were already told keeps its serial reference; the rest is derived.
update transfer_payrolls p set reference = case
  when exists (select from payment_attempts a where a.payroll_id = p.id) then p.id::text
  else payment_reference(p.payroll_group_id, p.master_list_id) end;
alter table transfer_payrolls alter column reference set not null,
  add constraint transfer_payrolls_reference unique (reference);

create function payroll_reference() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'payment % cannot change its reference', old.id using errcode = 'check_violation';
  end if;
  new.reference := payment_reference(new.payroll_group_id, new.master_list_id);
  return new;
end $$;
create trigger payroll_reference before insert or update of reference on transfer_payrolls
  for each row execute function payroll_reference();

alter table payment_attempts alter column idempotency_key drop default;
create function attempt_key() returns trigger language plpgsql as $$
begin
  select payment_key(p.reference, new.n) into new.idempotency_key from transfer_payrolls p where p.id = new.payroll_id;
  return new;
end $$;
create trigger attempt_key before insert on payment_attempts for each row execute function attempt_key();
