-- Two gaps in what is known after a restored backup.

-- A payment that a hold asked another agency about, because its open order was there, was sent by the agency of its list without being asked
-- about. The lost database may have made it again there (Money 8.4).
create or replace function payment_is_asked_first(payment bigint, round bigint) returns boolean language sql stable as $$
  select exists (
    select from sending_holds h, transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
    where g.id = round and c.created_at <= h.raised_at and g.due_on <= (h.raised_at at time zone 'utc')::date + 1
      and not exists (select from sending_hold_questions q
        where q.hold_id = h.id and q.payroll_id = payment and q.answer is not null and q.agency_id = c.transfer_agency_id))
$$;

-- An order that only a lost database has sent has no day of sending here. If its agency went on to process it, nobody could settle it
-- (Money 4.18).
create or replace function attempt_is_overdue(attempt bigint) returns boolean language sql stable as $$
  select exists (select from payment_attempts a join transfer_agencies g on g.id = a.agency_id where a.id = attempt
    and (a.state = 'unknown' or a.state = 'sending'
      and (a.ask_at is not null or exists (select from bank_file_payments f where f.attempt_id = a.id))
      and coalesce(a.sent_at, a.created_at) < now() - make_interval(secs => (60 * agency_answer_minutes(g.details))::float)))
$$;
