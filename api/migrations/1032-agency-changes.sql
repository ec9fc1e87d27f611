-- Where an agency's money goes changes by two people: one proposes, another confirms (Money 6.3).
create table transfer_agency_changes (
  id bigint generated always as identity primary key,
  agency_id bigint not null references transfer_agencies (id),
  state text not null default 'proposed',
  endpoint text not null,
  protocol text not null,
  details jsonb not null,
  secrets bytea,
  secret_names text[] not null default '{}',
  -- What people compare: address, protocol, details, and fingerprints in place of secrets.
  old_values jsonb not null,
  new_values jsonb not null,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  decided_by bigint references users (id),
  decided_at timestamptz,
  -- False only where the installation lets one pair of eyes decide (the demo).
  two_people boolean not null default true,
  constraint transfer_agency_changes_state check (state in ('proposed', 'confirmed', 'refused')),
  constraint transfer_agency_changes_decided check ((state = 'proposed') = (decided_by is null) and (state = 'proposed') = (decided_at is null)),
  constraint transfer_agency_changes_two_people check (state <> 'confirmed' or decided_by <> user_id or not two_people)
);
create unique index transfer_agency_changes_one_open on transfer_agency_changes (agency_id) where state = 'proposed';
create index transfer_agency_changes_agency on transfer_agency_changes (agency_id, state);

create function agency_change_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state <> 'proposed' or (new.agency_id, new.endpoint, new.protocol, new.details, new.secrets, new.user_id)
    is distinct from (old.agency_id, old.endpoint, old.protocol, old.details, old.secrets, old.user_id) then
    raise exception 'change % of an agency stays as it was proposed and decided', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger agency_change_is_kept before update or delete on transfer_agency_changes
  for each row execute function agency_change_is_kept();

-- Payments of an agency whose outcome is open.
create function agency_open_outcomes(agency bigint) returns bigint language sql stable as $$
  select count(*) from payment_attempts where agency_id = agency and state in ('sending', 'unknown')
$$;

-- The only way to another address: the application's role has no right to these columns (migrate.ts).
create function apply_agency_change(change bigint) returns void language plpgsql security definer set search_path = public as $$
declare wanted transfer_agency_changes;
begin
  select * into strict wanted from transfer_agency_changes where id = change and state = 'confirmed';
  perform from transfer_agencies where id = wanted.agency_id for no key update;
  perform from agency_leases where agency_id = wanted.agency_id for update;
  if agency_open_outcomes(wanted.agency_id) > 0 then
    raise exception 'outcomes at agency % are open', wanted.agency_id using errcode = 'check_violation';
  end if;
  if exists (select from transfer_agency_changes where agency_id = wanted.agency_id and id > change and state = 'confirmed') then
    raise exception 'change % is not the latest', change using errcode = 'check_violation';
  end if;
  update transfer_agencies set endpoint = wanted.endpoint, protocol = wanted.protocol, details = wanted.details,
    secrets = wanted.secrets, secret_names = wanted.secret_names, updated_at = now()
  where id = wanted.agency_id;
  -- Whoever speaks to the agency now does so at the old address: the fence moves on, and nothing more is claimed there.
  update agency_leases set fence = fence + 1, owner = null, lease_until = null where agency_id = wanted.agency_id;
end $$;
revoke all on function apply_agency_change(bigint) from public;

-- The demo's sandbox agency may come up on another port.
create function move_demo_agency(url text) returns void language sql security definer set search_path = public as $$
  update transfer_agencies set endpoint = url, updated_at = now()
  where protocol = 'sandbox' and endpoint ~ '^http://127\.0\.0\.1:' and url ~ '^http://127\.0\.0\.1:' and endpoint <> url
    and exists (select from installation where filled_as = 'demo')
$$;
revoke all on function move_demo_agency(text) from public;

create or replace function cohort_touched_by(cohort bigint) returns table (user_id bigint, how text) language sql stable as $$
  select c.user_id, 'uploaded' from transfer_cohorts c where c.id = cohort
  union
  select i.confirmed_by, 'confirmed' from transfer_cohorts c join imports i on i.id = c.import_id
  where c.id = cohort and i.confirmed_by is not null
  union
  select k.user_id, 'corrected' from transfer_cohorts c join import_corrections k on k.import_id = c.import_id where c.id = cohort
  union
  select a.user_id, 'agency' from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id where c.id = cohort
  union
  select x.user_id, 'agency' from transfer_cohorts c join transfer_agency_changes x on x.agency_id = c.transfer_agency_id
  where c.id = cohort and x.state = 'confirmed'
  union
  select p.user_id, 'parameter' from transfer_cohorts c join transfer_parameters p on p.id = c.transfer_parameter_id
  where c.id = cohort
  union
  select r.user_id, 'recipient' from transfer_master_list m join recipient_corrections r on r.master_list_id = m.id
  where m.cohort_id = cohort
$$;

-- Whoever could change agencies before may propose and confirm changes now.
insert into permissions (name) select 'agencies.update' from permissions where name = 'agencies.create' on conflict do nothing;
insert into role_permissions (role_id, permission_id)
select r.role_id, n.id from role_permissions r join permissions p on p.id = r.permission_id and p.name = 'agencies.create',
  permissions n where n.name = 'agencies.update'
on conflict do nothing;
