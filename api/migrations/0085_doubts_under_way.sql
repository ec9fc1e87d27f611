-- An answer about the first order of a payment may come while its second order is under way. If the second one certainly was not
-- executed, the payment came back to be sent again, although its money may have moved. Now it fails as before, until a person has
-- decided (Money 4.8). It is the same as for a payment that waits when the answer comes (decision 209). The name puts it before the
-- other triggers, so that a girl on hold does not hide the doubt.
create function came_back_in_doubt() returns trigger language plpgsql as $$
declare refusal text;
begin
  select coalesce(a.reason, 'refused') into refusal
  from payment_exceptions e join payment_attempts a on a.id = e.attempt_id and a.state = 'failed'
  where e.payroll_id = new.id and not e.resolved order by a.n desc limit 1;
  if refusal is not null then
    new.status := 'failed';
    new.failure_reason := refusal;
    update payment_attempts set state = 'failed', reason = 'cancelled', settled_at = now()
    where payroll_id = new.id and state = 'pending';
  end if;
  return new;
end $$;
create trigger came_back_in_doubt before update on transfer_payrolls for each row
  when (old.status = 'sending' and new.status = 'pending') execute function came_back_in_doubt();
