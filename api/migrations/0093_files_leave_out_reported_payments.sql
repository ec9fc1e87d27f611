-- A list whose agency had reported payments of it during a hold was moved to a bank that takes files. The rounds that the lost database had
-- begun were in the bank's file, so that everybody in them was paid twice (Money 7.9, 8.4).

-- Whether a report is about an order that may have been paid, and about none that the agency refused before or after it.
create function report_stands(report reported_payments, payment bigint) returns boolean language sql stable as $$
  select not exists (select from payment_attempts f
    where f.payroll_id = payment and f.state = 'failed' and report.key in (f.idempotency_key::text, f.external_trx_id)
      and (report.refused or f.reason is distinct from 'cancelled' and f.settled_at > report.reported_at))
$$;

-- The payments of a round that wait although another agency has reported them, with that agency: the list was paid through it before, or
-- a lost database had moved it there. References and keys are of one payment only.
create function orders_elsewhere(round bigint) returns table (payroll_id bigint, agency_id bigint) language sql stable as $$
  select distinct on (p.id) p.id, t.agency_id
  from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
    join transfer_payrolls p on p.payroll_group_id = g.id and p.status = 'pending'
    left join payment_attempts a on a.payroll_id = p.id and a.state <> 'failed'
    -- The indexes of what was reported begin with the agency. Agencies are few.
    join transfer_agencies o on o.id <> c.transfer_agency_id
    join reported_payments t on t.agency_id = o.id and (t.reference = p.reference
      or t.key = coalesce(a.idempotency_key, payment_key(p.reference,
        1 + (select count(*)::int from payment_attempts f where f.payroll_id = p.id)))::text)
  where g.id = round and report_stands(t, p.id)
  order by p.id, t.reported_at desc
$$;

-- Leaves such payments to the agency that reported them. It is queried about them and never sent them, as after every hold. An order that
-- waits may have come along with the list; its agency can change only while it waits.
create function leave_to_reporters(round bigint) returns void language plpgsql as $$
declare
  payments bigint[];
  agencies bigint[];
begin
  select array_agg(found.id), array_agg(found.agency_id) into payments, agencies from (
    select p.id, e.agency_id from orders_elsewhere(round) e join transfer_payrolls p on p.id = e.payroll_id
    where p.status = 'pending' order by p.id for no key update of p) found;
  if payments is null then
    return;
  end if;
  update payment_attempts a set agency_id = e.agency_id from unnest(payments, agencies) e (payroll_id, agency_id)
  where a.payroll_id = e.payroll_id and a.state = 'pending';
  update transfer_payrolls set status = 'sending', updated_at = now() where id = any(payments);
  insert into payment_attempts (payroll_id, n, state, tries, agency_id, first_asked, ask_at)
  select e.payroll_id, 1 + (select count(*) from payment_attempts f where f.payroll_id = e.payroll_id), 'sending', 1, e.agency_id,
    'held', now()
  from unnest(payments, agencies) e (payroll_id, agency_id)
  on conflict (payroll_id) where state <> 'failed'
  do update set state = 'sending', tries = payment_attempts.tries + 1, first_asked = 'held', ask_at = now();
end $$;
