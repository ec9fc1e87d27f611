-- outside of a transaction
-- The lines of statements that have a payment as paid that did not succeed here, looked up for each payment that is acted on (decision 210).
drop index concurrently if exists statement_findings_unpaid;
create index concurrently if not exists statement_findings_unpaid on statement_findings (payroll_id)
  where category = 'theirs' and cause = 'not_paid';
