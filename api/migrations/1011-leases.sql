-- Who may speak to an agency, over all workers: one lease per agency holds all of its slots. What may be written is
-- decided by the fence, which every transaction of the holder checks under the row's lock.
create table agency_leases (
  agency_id bigint primary key references transfer_agencies (id),
  owner text,
  lease_until timestamptz,
  fence bigint not null default 0,
  -- Nobody takes it before: an agency that cannot be used is left alone for a while.
  rest_until timestamptz,
  -- What the line was opened with; another one asks for a fresh line.
  opened_with text,
  -- Since when something is open there, and when something was last settled: no progress is an error.
  open_since timestamptz,
  settled_at timestamptz,
  stalled_at timestamptz
);
-- Whatever a worker of before left behind is asked about first: an expired lease says so.
insert into agency_leases (agency_id, lease_until) select id, now() from transfer_agencies;

create function agency_lease() returns trigger language plpgsql as $$
begin
  insert into agency_leases (agency_id) values (new.id);
  return null;
end $$;
create trigger agency_lease after insert on transfer_agencies for each row execute function agency_lease();

alter table transfer_payroll_groups
  drop column lease_owner,
  drop column lease_until,
  drop column fence,
  -- When a person or the plan last asked for it: it begins by itself on its day or on this one, never long after.
  add column called_at timestamptz not null default now();
update transfer_payroll_groups set called_at = created_at;

-- Retry and Resume: what is unknown is asked about on a fresh line before anything more is sent.
alter table transfer_cohorts add column reopened_at timestamptz;
create function cohort_reopened() returns trigger language plpgsql as $$
begin
  if (old.status = 'error' and new.status = 'approved') or (old.stopped_at is not null and new.stopped_at is null) then
    new.reopened_at := now();
  end if;
  return new;
end $$;
create trigger cohort_reopened before update on transfer_cohorts for each row execute function cohort_reopened();

drop index payment_attempts_ask;
create index payment_attempts_ask on payment_attempts (agency_id, ask_at) where state in ('sending', 'unknown');

-- Refused twice because the paying account is empty: the others of the round are sent first.
alter table transfer_payrolls add column set_aside integer not null default 0;
create index transfer_payrolls_to_send on transfer_payrolls (payroll_group_id, set_aside, id) where status = 'pending';

-- A round with something unknown is not executed.
create function payroll_group_executed() returns trigger language plpgsql as $$
begin
  new.executed_at := case when new.pending + new.sending + new.unknown = 0 then coalesce(new.executed_at, now()) end;
  return new;
end $$;
create trigger payroll_group_executed before update of unknown, pending, sending, executed_at on transfer_payroll_groups
  for each row execute function payroll_group_executed();
update transfer_payroll_groups set executed_at = null where pending + sending + unknown > 0;
