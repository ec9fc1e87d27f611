-- Whether every call about the attempt that began before the proposal has ended. A query, and the order that it may send again, take a
-- minute at most. Within that minute a later query, which a report of the agency or another worker may have brought, shows nothing: the
-- earlier one may still be on its way. After it, either the agency was queried since the proposal, or a minute more has passed (Money 4.18).
create or replace function settlement_is_asked(attempt bigint, asked integer, since timestamptz) returns boolean language sql stable as $$
  select since < now() - interval '1 minute' and (since < now() - interval '2 minutes'
    or exists (select from payment_attempts a where a.id = attempt and a.tries > asked))
$$;

-- The payment counts as the evidence says, on the day of the line, with the fee that the line names. Of one that was not paid the agency is
-- asked on, so that a late answer becomes an exception.
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
    agency_fees = coalesce((select l.fee from statement_lines l where l.id = new.line_id), agency_fees), updated_at = now()
  where id = settled.payroll_id;
  -- The lock orders this and the signature of the statement: whichever comes second confirms the payment.
  insert into payment_confirmations (payroll_id, statement_id, amount)
    select p.id, s.id, p.amount from statement_lines l
      join lateral (select c.id, c.state from agency_statements c where c.id = l.statement_id for share) s on s.state = 'closed'
      join transfer_payrolls p on p.id = settled.payroll_id
    where l.id = new.line_id and new.outcome = 'paid' and not exists (select from payment_confirmations c where c.payroll_id = p.id);
  return null;
end $$;
