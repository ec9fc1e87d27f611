-- A statement may say that a payment came back (Money 7.10, 9.5). It then neither settles nor confirms it, and a payment that counts as
-- paid is for a person (4.17).
alter table payment_exceptions drop constraint payment_exceptions_kind;
-- The release before never writes the kind that is new. Exceptions are few, so they are read at once.
-- squawk-ignore constraint-missing-not-valid
alter table payment_exceptions add constraint payment_exceptions_kind check (kind in
  ('contradiction', 'key', 'reference', 'amount', 'currency', 'recipient', 'transaction', 'not_found', 'unreadable', 'statement', 'several',
   'returned'));

-- Whether the amount was written with a minus. In a file that has such lines, the others are money that came in.
alter table statement_lines add column minus boolean not null default false;

-- A RIB of 24 characters is an IBAN of 28 without its first four.
create function account_form(number text) returns text language sql immutable as $$
  select case when length(number) = 28 then right(number, 24) else number end
$$;

create or replace function settlement_is_proposed() returns trigger language plpgsql as $$
declare payment record;
begin
  perform settlement_locks(new.attempt_id);
  select p.id, p.amount, number_at(g.type, p.receiver_phone_number, p.receiver_account) as number, a.agency_id, a.tries into payment
    from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id join transfer_agencies g on g.id = a.agency_id
    where a.id = new.attempt_id;
  if new.state <> 'proposed' or not attempt_is_overdue(new.attempt_id) then
    raise exception 'the outcome of attempt % is not open', new.attempt_id
      using errcode = 'check_violation', constraint = 'payment_settlements_overdue';
  end if;
  if new.line_id is not null and not exists (
    select from statement_lines l join agency_statements s on s.id = l.statement_id
      join statement_findings f on f.line_id = l.id and f.category = 'theirs'
    where l.id = new.line_id and s.state in ('open', 'closed') and l.agency_id = payment.agency_id and l.problem is null
      and l.amount = payment.amount
      and (f.payroll_id = payment.id
        or f.payroll_id is null and (l.number is null or account_form(l.number) = account_form(payment.number)))
      and not exists (select from payment_attempts a where a.agency_id = l.agency_id and a.external_trx_id = l.transaction_id
        and a.id <> new.attempt_id)) then
    raise exception 'line % does not show payment %', new.line_id, payment.id
      using errcode = 'check_violation', constraint = 'payment_settlements_shows';
  end if;
  new.asked := payment.tries;
  return new;
end $$;

-- The payments that lines of a statement say came back.
create view returned_payments as
  select f.statement_id, f.payroll_id, l."row" from statement_findings f join statement_lines l on l.id = f.line_id
  where l.problem = 'statement_returned' and f.payroll_id is not null;

-- A payment that people settled as paid by a line is confirmed by the statement of the line.
create or replace function statement_confirms() returns trigger language plpgsql as $$
begin
  delete from payment_confirmations where statement_id = new.corrects_id;
  insert into payment_confirmations (payroll_id, statement_id, amount)
    select f.payroll_id, f.statement_id, f.our_amount from statement_findings f
    where f.statement_id = new.id and f.category in ('matched', 'fee')
      and not exists (select from returned_payments r where r.statement_id = new.id and r.payroll_id = f.payroll_id)
    union all
    select p.id, new.id, p.amount from statement_lines l
      join payment_settlements s on s.line_id = l.id and s.state = 'approved' and s.outcome = 'paid'
      join payment_attempts a on a.id = s.attempt_id join transfer_payrolls p on p.id = a.payroll_id
    where l.statement_id = new.id and not exists (select from payment_confirmations c where c.payroll_id = p.id);
  return null;
end $$;

create or replace function settle_payment() returns trigger language plpgsql as $$
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
  -- The lock orders this and the signature of the statement: whichever comes second confirms the payment.
  insert into payment_confirmations (payroll_id, statement_id, amount)
    select p.id, s.id, p.amount from statement_lines l
      join lateral (select c.id, c.state from agency_statements c where c.id = l.statement_id for share) s on s.state = 'closed'
      join transfer_payrolls p on p.id = settled.payroll_id
    where l.id = new.line_id and new.outcome = 'paid' and not exists (select from payment_confirmations c where c.payroll_id = p.id);
  return null;
end $$;

create function returned_payments_doubt() returns trigger language plpgsql as $$
begin
  perform from transfer_payrolls where id in (select payroll_id from returned_payments where statement_id = new.id)
  order by id for no key update;
  insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
  select r.payroll_id, a.id, 'returned', a.state, r.statement_id || ': ' || r."row"
  from returned_payments r join payment_attempts a on a.payroll_id = r.payroll_id and a.agency_id = new.agency_id and a.state = 'success'
  where r.statement_id = new.id order by r.payroll_id
  on conflict do nothing;
  return null;
end $$;
create trigger returned_payments_doubt after update on agency_statements
  for each row when (old.state <> 'closed' and new.state = 'closed') execute function returned_payments_doubt();
