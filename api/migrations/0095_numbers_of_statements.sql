-- A girl of a list that a bank paid and that moved to an operator has an account and a telephone. The operator's statement names her by the
-- telephone. Its lines without our reference were compared with her account, so that they found no payment and proved none (Money 9.3, 4.18).

-- The number by which an agency names a recipient.
create function number_at(agency_type text, phone text, account text) returns text language sql immutable as $$
  select case agency_type when 'bank' then coalesce(account, phone) else coalesce(phone, account) end
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
      and l.amount = payment.amount and (f.payroll_id = payment.id or f.payroll_id is null and (l.number is null or l.number = payment.number))
      and not exists (select from payment_attempts a where a.agency_id = l.agency_id and a.external_trx_id = l.transaction_id
        and a.id <> new.attempt_id)) then
    raise exception 'line % does not show payment %', new.line_id, payment.id
      using errcode = 'check_violation', constraint = 'payment_settlements_shows';
  end if;
  new.asked := payment.tries;
  return new;
end $$;
