-- A failed payment that an agency has as paid, as a hold of sending found (Money 8.2), is in doubt. Nothing ended this doubt: the payment
-- could neither be made again nor written off, so that its cohort could not be closed either. Now it is an exception like every other
-- answer that contradicts a final state (Money 4.8), and a person decides about it (Money 4.17).

-- The order that the agency has, or the latest one if it names none of ours. Of an order without an outcome there is an exception
-- already, or there is none until it fails.
create function doubt_held_payment(payment bigint) returns void language sql as $$
  insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
  select p.id, a.id, 'contradiction', concat_ws(': ', a.state, a.reason), d.state
  from sending_hold_differences d
    join transfer_payrolls p on p.id = d.payroll_id and p.status <> 'success' and p.written_off_at is null
    cross join lateral (
      select o.id, o.state, o.reason from payment_attempts o where o.payroll_id = p.id
      order by coalesce(d.key in (o.idempotency_key::text, o.external_trx_id), false) desc, o.n desc limit 1) a
  where d.payroll_id = payment and d.kind = 'differs' and (a.state = 'failed' or a.state = 'pending' and p.status = 'failed')
    and not exists (
    select from payment_exceptions e where e.payroll_id = payment and (not e.resolved or e.decided_at > d.created_at))
  order by d.id
  on conflict do nothing
$$;

create function difference_is_doubted() returns trigger language plpgsql as $$
begin
  perform doubt_held_payment(new.payroll_id);
  return null;
end $$;
create trigger difference_is_doubted after insert or update of kind on sending_hold_differences
  for each row when (new.kind = 'differs') execute function difference_is_doubted();
-- The name puts it after the doubt of a statement.
create trigger refusal_of_a_difference after update on payment_attempts
  for each row when (old.state in ('sending', 'unknown') and new.state = 'failed') execute function difference_is_doubted();

-- Whether a hold found that an agency has a payment otherwise than its orders here, and nobody has decided about it since.
create function held_otherwise(payment bigint) returns boolean language plpgsql stable as $$
begin
  return exists (select from sending_hold_differences d where d.payroll_id = payment and d.kind = 'differs' and not exists (
      select from payment_exceptions e where e.payroll_id = payment and e.decided_at > d.created_at))
    and exists (select from payment_attempts a where a.payroll_id = payment);
end $$;

create or replace function write_off_is_allowed() returns trigger language plpgsql as $$
declare payment record;
begin
  perform from sending_marks for share;
  select p.amount, p.status, p.written_off_at, p.master_list_id, g.cohort_id into payment
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
    where p.id = new.payroll_id for update of p;
  if payment.status is null or payment.status not in ('pending', 'failed') or payment.written_off_at is not null
    or payee_is_held(payee_of(payment.master_list_id))
    or payment.status = 'failed' and stated_as_paid(new.payroll_id)
    or exists (select from payment_exceptions e where e.payroll_id = new.payroll_id and not e.resolved)
    or held_otherwise(new.payroll_id)
    or exists (select from sending_holds where released_at is null) then
    raise exception 'payment % cannot be written off', new.payroll_id
      using errcode = 'check_violation', constraint = 'payment_write_offs_failed';
  end if;
  if new.two_people and exists (select from cohort_touched_by(payment.cohort_id) t where t.user_id = new.user_id) then
    raise exception 'payment % is written off by somebody who touched its cohort', new.payroll_id
      using errcode = 'check_violation', constraint = 'payment_write_offs_two_people';
  end if;
  new.amount := payment.amount;
  return new;
end $$;
