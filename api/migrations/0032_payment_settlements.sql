-- Outcomes that people settle with evidence (Money 4.18), because the agency does not say what became of a payment.
create table payment_settlements (
  id bigint primary key generated always as identity,
  attempt_id bigint not null references payment_attempts (id),
  outcome text not null,
  reason text not null,
  -- The evidence: a line of a statement, or a document.
  line_id bigint references statement_lines (id) on delete set null,
  document_id bigint references files (id),
  -- `answered`: the agency gave the outcome first.
  state text not null default 'proposed',
  -- How often the agency had been asked until then. A trigger copies it from the attempt.
  asked integer not null default 0,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  decided_by bigint references users (id),
  decided_at timestamptz,
  constraint payment_settlements_outcome check (outcome in ('paid', 'not_paid')),
  constraint payment_settlements_reason check (reason ~ '\S'),
  constraint payment_settlements_state check (state in ('proposed', 'approved', 'refused', 'answered')),
  -- A line says that money moved. It proves nothing of money that did not.
  constraint payment_settlements_evidence check (
    case when state in ('refused', 'answered') then num_nonnulls(line_id, document_id) <= 1
      else num_nonnulls(line_id, document_id) = 1 end and (line_id is null or outcome = 'paid')),
  constraint payment_settlements_decided check (
    (state in ('approved', 'refused')) = (decided_by is not null) and (state = 'proposed') = (decided_at is null)),
  -- There is no exception: an outcome that no agency gave always needs two people.
  constraint payment_settlements_four_eyes check (state <> 'approved' or decided_by <> user_id)
);
create unique index payment_settlements_open on payment_settlements (attempt_id) where state = 'proposed';
create unique index payment_settlements_approved on payment_settlements (attempt_id) where state = 'approved';
create unique index payment_settlements_line on payment_settlements (line_id) where state in ('proposed', 'approved');
create unique index payment_settlements_document on payment_settlements (document_id);

-- Minutes after which an agency that settles nothing is not progressing (Money 7.6), and an order that it still has is overdue.
create function agency_answer_minutes(details jsonb) returns numeric language sql immutable as $$
  select case when details->>'progress_minutes' ~ '^\d+(\.\d+)?$' then (details->>'progress_minutes')::numeric else 10 end
$$;

-- Whether a person may settle an attempt: its outcome is unknown, or the agency has it for too long.
create function attempt_is_overdue(attempt bigint) returns boolean language sql stable as $$
  select exists (select from payment_attempts a join transfer_agencies g on g.id = a.agency_id where a.id = attempt
    and (a.state = 'unknown' or a.state = 'sending' and a.ask_at is not null
      and a.sent_at < now() - make_interval(secs => (60 * agency_answer_minutes(g.details))::float)))
$$;

-- A worker writes what an agency answered under the lock of its lease. So nothing is answered until this transaction ends.
create function settlement_locks(attempt bigint) returns void language plpgsql as $$
begin
  perform from sending_marks for share;
  perform from agency_leases where agency_id = (select agency_id from payment_attempts where id = attempt) for no key update;
end $$;

create function settlement_is_proposed() returns trigger language plpgsql as $$
declare payment record;
begin
  perform settlement_locks(new.attempt_id);
  select p.id, p.amount, coalesce(p.receiver_account, p.receiver_phone_number) as number, a.agency_id, a.tries into payment
    from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id where a.id = new.attempt_id;
  if new.state <> 'proposed' or not attempt_is_overdue(new.attempt_id) then
    raise exception 'the outcome of attempt % is not open', new.attempt_id
      using errcode = 'check_violation', constraint = 'payment_settlements_overdue';
  end if;
  if new.line_id is not null and not exists (
    select from statement_lines l join agency_statements s on s.id = l.statement_id
      join statement_findings f on f.line_id = l.id and f.category = 'theirs'
    where l.id = new.line_id and s.state in ('open', 'closed') and l.agency_id = payment.agency_id and l.problem is null
      and l.amount = payment.amount and (f.payroll_id = payment.id or f.payroll_id is null and (l.number is null or l.number = payment.number))
      and not exists (select from payment_attempts a where a.agency_id = l.agency_id and a.external_trx_id = l.transaction_id
        and a.id <> new.attempt_id)) then
    raise exception 'line % does not show payment %', new.line_id, payment.id
      using errcode = 'check_violation', constraint = 'payment_settlements_shows';
  end if;
  new.asked := payment.tries;
  return new;
end $$;
create trigger settlement_is_proposed before insert on payment_settlements
  for each row execute function settlement_is_proposed();

-- It is decided once. Whoever approves it finds the outcome still open, and no order of it can be on its way: since the proposal
-- the agency is only asked. Its reason is emptied with the person (Access 7).
create function settlement_is_decided() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'settlement % is never deleted', old.id using errcode = 'insufficient_privilege';
  end if;
  if to_jsonb(new) - '{reason}'::text[] = to_jsonb(old) - '{reason}'::text[] and new.reason = '—'
    or old.state in ('refused', 'answered') and new.line_id is null
      and to_jsonb(new) - '{line_id}'::text[] = to_jsonb(old) - '{line_id}'::text[] then
    return new;
  end if;
  if old.state <> 'proposed' or to_jsonb(new) - '{state,decided_by,decided_at}'::text[]
      is distinct from to_jsonb(old) - '{state,decided_by,decided_at}'::text[] then
    raise exception 'settlement % stays as it was proposed and decided', old.id using errcode = 'check_violation';
  end if;
  if new.state <> 'approved' then
    return new;
  end if;
  perform settlement_locks(new.attempt_id);
  if not attempt_is_overdue(new.attempt_id) or exists (select from sending_holds where released_at is null)
    or not settlement_is_asked(new.attempt_id, new.asked, new.created_at) then
    raise exception 'settlement % cannot be approved now', old.id
      using errcode = 'check_violation', constraint = 'payment_settlements_overdue';
  end if;
  return new;
end $$;

-- Whether every call about the attempt that began before the proposal has ended: the agency was asked again, or both calls, to
-- ask and to send again, took longer than they can.
create function settlement_is_asked(attempt bigint, asked integer, since timestamptz) returns boolean language sql stable as $$
  select since < now() - interval '2 minutes' or exists (select from payment_attempts a where a.id = attempt and a.tries > asked)
$$;
create trigger settlement_is_decided before update or delete on payment_settlements
  for each row execute function settlement_is_decided();

-- The payment counts as the evidence says, on the day of the line. Of one that was not paid the agency is asked on, so that a late
-- answer becomes an exception.
create function settle_payment() returns trigger language plpgsql as $$
declare
  settled payment_attempts;
begin
  update payment_attempts a set state = case new.outcome when 'paid' then 'success' else 'failed' end,
    external_trx_id = coalesce(a.external_trx_id, (select l.transaction_id from statement_lines l where l.id = new.line_id)),
    reason = case new.outcome when 'not_paid' then 'settled_not_paid' end,
    settled_at = least(now(), coalesce(
      (select (l.day + time '12:00') at time zone 'utc' from statement_lines l where l.id = new.line_id), now())),
    ask_at = case new.outcome when 'not_paid' then now() + interval '1 hour' end
  where a.id = new.attempt_id returning a.* into settled;
  update transfer_payrolls set status = settled.state, external_trx_id = settled.external_trx_id, failure_reason = settled.reason,
    updated_at = now()
  where id = settled.payroll_id;
  return null;
end $$;
create trigger settle_payment after update on payment_settlements
  for each row when (old.state = 'proposed' and new.state = 'approved') execute function settle_payment();

-- Of a failed attempt only changes when the agency is asked about it, if a person settled it.
create or replace function attempt_transition() returns trigger language plpgsql as $$
begin
  if new.idempotency_key <> old.idempotency_key or new.payroll_id <> old.payroll_id or new.n <> old.n then
    raise exception 'attempt % cannot change its key', old.id using errcode = 'check_violation';
  end if;
  if old.state = 'success' or old.state = 'failed' and (old.ask_at is null
    or to_jsonb(new) - '{tries,ask_at}'::text[] is distinct from to_jsonb(old) - '{tries,ask_at}'::text[]) then
    raise exception 'attempt % is final', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
drop index payment_attempts_ask;
create index payment_attempts_ask on payment_attempts (agency_id, ask_at) where ask_at is not null;

-- A new attempt needs the previous one to have failed (Money 4.2), and a payment that is not written off. The earlier ones are
-- not asked about any more: an answer by reference could be about the new one.
create or replace function attempt_follows_refusal() returns trigger language plpgsql as $$
begin
  if new.n > 1 and not exists (
    select 1 from payment_attempts a where a.payroll_id = new.payroll_id and a.n = new.n - 1 and a.state = 'failed'
  ) then
    raise exception 'attempt % of payment % needs a refused one before it', new.n, new.payroll_id using errcode = 'check_violation';
  end if;
  if exists (select from transfer_payrolls p where p.id = new.payroll_id and p.written_off_at is not null) then
    raise exception 'payment % is written off', new.payroll_id using errcode = 'check_violation';
  end if;
  update payment_attempts set ask_at = null where payroll_id = new.payroll_id and state = 'failed' and ask_at is not null;
  return new;
end $$;

-- Whoever may approve is told of an outcome that waits for a second person (Messages 4.3).
alter table notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide', 'payment-to-settle'));
alter table notice_preferences drop constraint notice_preferences_kind_check,
  add constraint notice_preferences_kind_check check (kind in
    ('cohort-to-approve', 'cohort-refused', 'cohort-in-error', 'case-assigned', 'case-due', 'expert-answered', 'build-to-admit',
     'erasure-to-decide', 'payment-to-settle'));
