-- Whether a line of a statement names this order itself, and not only its payment: by its key, its name in the bank's file or its transaction.
create function line_names_order(line statement_lines, attempt payment_attempts) returns boolean language sql stable as $$
  select coalesce(lower(line.reference) = attempt.idempotency_key::text, false)
    or coalesce(line.transaction_id = attempt.external_trx_id, false)
    or exists (select from bank_file_payments b where b.attempt_id = attempt.id and b.end_to_end_id = line.reference)
$$;

-- A statement may be compared while the second order of a payment is on its way. A line that names this order, and no refused one, says
-- nothing about the first: it is no doubt (Money 9.7). Every other line stays one, and so does each line of a payment that has several,
-- because then the family may have been paid twice.
create or replace view stated_payments as
  select f.payroll_id, f.statement_id, s.state, s.agency_id, f.statement_id || ': ' || l."row" as place
  from statement_findings f join agency_statements s on s.id = f.statement_id join statement_lines l on l.id = f.line_id
  where f.category = 'theirs' and f.cause = 'not_paid' and s.state in ('open', 'closed') and statement_counts(s.id, null)
    and not exists (select from payment_exceptions e where e.payroll_id = f.payroll_id
      and (e.decision = 'money_moved' or e.kind = 'statement' and e.answered = f.statement_id || ': ' || l."row"))
    and not (
      exists (select from payment_attempts o where o.payroll_id = f.payroll_id and o.agency_id = s.agency_id
        and o.state in ('sending', 'unknown', 'success') and line_names_order(l, o))
      and not exists (select from payment_attempts o where o.payroll_id = f.payroll_id and o.state = 'failed' and line_names_order(l, o))
      -- Two questions, because each has an index.
      and not exists (select from statement_findings g join statement_lines k on k.id = g.line_id
        where g.payroll_id = f.payroll_id and g.category = 'theirs' and g.cause = 'not_paid' and k.id <> l.id
          and k.repeats_id is distinct from l.id and l.repeats_id is distinct from k.id)
      and not exists (select from statement_findings g join statement_lines k on k.id = g.line_id
        where g.payroll_id = f.payroll_id and g.category in ('matched', 'amount', 'fee')
          and k.repeats_id is distinct from l.id and l.repeats_id is distinct from k.id));
