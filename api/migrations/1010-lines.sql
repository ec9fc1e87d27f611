-- Where payments go: one row per address of an agency that orders were sent to. An attempt keeps the one it went to.
create table payment_lines (
  id bigint generated always as identity primary key,
  agency_id bigint not null references transfer_agencies (id),
  endpoint text not null,
  account text not null,
  protocol text not null,
  connector_version integer not null,
  created_at timestamptz not null default now(),
  constraint payment_lines_address unique (agency_id, endpoint, account, protocol, connector_version)
);

alter table payment_attempts
  add column agency_id bigint references transfer_agencies (id),
  add column line_id bigint references payment_lines (id),
  -- When it first went there: an agency recognises its key only for so long after.
  add column sent_at timestamptz;

-- Of attempts made before, the agency is known and the address is not: "not found" never sends those again.
alter table payment_attempts disable trigger attempt_transition;
update payment_attempts a set agency_id = c.transfer_agency_id
  from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
    join transfer_cohorts c on c.id = g.cohort_id
  where p.id = a.payroll_id;
alter table payment_attempts enable trigger attempt_transition;
alter table payment_attempts alter column agency_id set not null;

create function attempt_agency() returns trigger language plpgsql as $$
begin
  select c.transfer_agency_id into new.agency_id
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id
    where p.id = new.payroll_id;
  return new;
end $$;
create trigger attempt_agency before insert on payment_attempts
  for each row when (new.agency_id is null) execute function attempt_agency();

-- Only what nobody sent, or what the agency certainly did not execute, may go to another address.
create function attempt_line() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' and new.state <> 'pending' and new.line_id is distinct from old.line_id then
    raise exception 'attempt % went to another address', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger attempt_line before update of line_id on payment_attempts
  for each row execute function attempt_line();

-- One transaction of an agency pays one attempt (Money 4.7). Where two share one already, the first keeps it.
alter table payment_attempts disable trigger attempt_transition;
update payment_attempts a set external_trx_id = a.external_trx_id || ' (again, attempt ' || a.id || ')'
  where exists (select 1 from payment_attempts o
    where o.agency_id = a.agency_id and o.external_trx_id = a.external_trx_id and o.id < a.id);
alter table payment_attempts enable trigger attempt_transition;
create unique index payment_attempts_transaction on payment_attempts (agency_id, external_trx_id)
  where external_trx_id is not null;

-- What an agency said that cannot be so: what was expected, what it answered, once for each.
alter table payment_exceptions
  add column kind text not null default 'contradiction',
  add column expected text,
  add column answered text;
update payment_exceptions set answered = said;
alter table payment_exceptions alter column answered set not null, alter column kind drop default, drop column said,
  add constraint payment_exceptions_kind check (kind in
    ('contradiction', 'key', 'reference', 'amount', 'currency', 'recipient', 'transaction', 'not_found', 'unreadable'));
delete from payment_exceptions e using payment_exceptions f
  where f.attempt_id = e.attempt_id and f.kind = e.kind and f.answered = e.answered and f.id < e.id;
alter table payment_exceptions
  add constraint payment_exceptions_once unique (attempt_id, kind, answered);
