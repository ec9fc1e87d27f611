-- Two people act at the same moment. Each of these locks makes the second act see what the first one did.

-- A limit of approval stays as it is until an approval of its person has ended (Money 5.18). A first limit has no row yet that could be
-- locked.
create function limit_stays(person bigint, exclusive boolean) returns void language sql as $$
  select case when exclusive then pg_advisory_xact_lock(hashtextextended('approval limit ' || person, 0))
    else pg_advisory_xact_lock_shared(hashtextextended('approval limit ' || person, 0)) end
$$;

create function approval_limit_waits() returns trigger language plpgsql as $$
begin
  perform limit_stays(coalesce(new.user_id, old.user_id), true);
  return coalesce(new, old);
end $$;

create trigger approval_limit_waits before insert or update or delete on approval_limits
  for each row execute function approval_limit_waits();

-- A statement is not withdrawn while a line of it becomes evidence (Money 9.4).
create or replace function settlement_is_proposed() returns trigger language plpgsql as $$
declare payment record;
begin
  perform settlement_locks(new.attempt_id);
  perform from agency_statements where id = (select statement_id from statement_lines where id = new.line_id) for share;
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
