-- A payment that was made again and waits was still sent while a statement that has its first order as paid was open: only the signature
-- stopped it (Money 9.7). Now the comparison does.

-- Whether only a lost database may have sent this order that waits: its agency is asked for its key before it is sent.
create function waits_to_be_asked(attempt payment_attempts) returns boolean language sql stable as $$
  select attempt.state = 'pending' and attempt.first_asked is distinct from 'clear' and payment_is_asked_first(p.id, p.payroll_group_id)
  from transfer_payrolls p where p.id = attempt.payroll_id
$$;

-- The order that the agency refused is the latest one. One that waited and was cancelled was never sent to it.
create function refused_order(payment bigint, agency bigint) returns table (id bigint, state text, reason text, sent_at timestamptz)
  language sql stable as $$
  select o.id, o.state, o.reason, o.sent_at from payment_attempts o
  where o.payroll_id = payment and o.agency_id = agency and o.state = 'failed'
  order by o.reason is not distinct from 'cancelled' and o.sent_at is null, o.n desc limit 1
$$;

-- Fails those of the payments that wait although the agency, after it refused them, may have paid them: as before, with their refusal. No
-- state is added for them, and no round waits for them. What was sent before is brought to its end. The locks order this and whoever
-- claims a payment, settles it or makes it again; foreign keys pass them.
create function stop_doubted_payments(payments bigint[]) returns void language plpgsql as $$
declare stopped bigint[];
begin
  perform from transfer_payrolls where id = any(payments) order by id for no key update;
  with refusals as (
    select s.payroll_id, nullif(o.reason, 'cancelled') as reason
    from stated_payments s cross join lateral refused_order(s.payroll_id, s.agency_id) o
    where s.payroll_id = any(payments) and s.state = 'open' and (o.reason is distinct from 'cancelled' or o.sent_at is not null)
    union all
    select e.payroll_id, a.reason from payment_exceptions e join payment_attempts a on a.id = e.attempt_id and a.state = 'failed'
    where e.payroll_id = any(payments) and not e.resolved
  ), failed as (
    update transfer_payrolls p set status = 'failed', failure_reason = coalesce(r.reason, 'refused'), updated_at = now()
    from refusals r where p.id = r.payroll_id and p.status = 'pending' returning p.id
  )
  select array_agg(id) into stopped from failed;
  -- An order that only a lost database may have sent keeps its key, so that its agency can be asked about it (Money 8.2).
  update payment_attempts a set state = 'failed', reason = 'cancelled', settled_at = now()
  where a.payroll_id = any(stopped) and a.state = 'pending' and not waits_to_be_asked(a);
end $$;

create or replace function doubt_stops_payment() returns trigger language plpgsql as $$
begin
  perform stop_doubted_payments(array[new.payroll_id]);
  return null;
end $$;

-- The comparison forbids nested loops for its own statement; with few payments they are right.
create function open_statement_stops_payments() returns trigger language plpgsql set enable_nestloop = on as $$
begin
  perform stop_doubted_payments(array(select payroll_id from stated_payments where statement_id = new.id));
  return null;
end $$;
create trigger open_statement_stops_payments after update on agency_statements
  for each row when (old.state <> 'open' and new.state = 'open') execute function open_statement_stops_payments();

-- An order that was certainly not sent comes back and would be claimed again. At the end of the transaction its event is written.
create function returned_payment_is_stopped() returns trigger language plpgsql as $$
begin
  perform stop_doubted_payments(array[new.id]);
  return null;
end $$;
create constraint trigger returned_payment_is_stopped after update on transfer_payrolls deferrable initially deferred for each row
  when (old.status = 'sending' and new.status = 'pending') execute function returned_payment_is_stopped();

create or replace function doubt_stated_payments(statement bigint) returns void language sql as $$
  insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
  select s.payroll_id, a.id, 'statement', concat_ws(': ', a.state, a.reason), s.place
  from stated_payments s join transfer_payrolls p on p.id = s.payroll_id and p.written_off_at is null
    cross join lateral refused_order(s.payroll_id, s.agency_id) a
  where s.statement_id = statement order by s.payroll_id
  on conflict do nothing
$$;

create or replace function payroll_transition() returns trigger language plpgsql as $$
begin
  if old.status is distinct from new.status and not (
    (old.status = 'pending' and new.status = 'sending')
    or (old.status = 'sending' and new.status in ('pending', 'success', 'failed', 'unknown'))
    or (old.status = 'unknown' and new.status in ('sending', 'success', 'failed'))
    or (old.status = 'pending' and new.status = 'failed' and old.withheld_at is null and new.withheld_at is not null)
    or (old.status = 'pending' and new.status = 'failed' and new.failure_reason = 'cancelled'
        and exists (select from payment_write_offs w where w.payroll_id = new.id))
    or (old.status = 'pending' and new.status = 'failed'
        and (stated_as_paid(new.id) or exists (select from payment_exceptions e where e.payroll_id = new.id and not e.resolved)))
    or (old.status = 'failed' and new.status = 'pending' and old.written_off_at is null
        -- An agency may report that it paid her; only a hold of sending asks it.
        and (not payee_is_held(payee_of(new.master_list_id)) or exists (select from sending_holds where released_at is null))
        and (exists (select from sending_holds where released_at is null) or not exists (
          select from payment_exceptions e where e.payroll_id = new.id and (not e.resolved or e.decision = 'money_moved'))
          and not stated_as_paid(new.id))
        and exists (select 1 from payment_attempts a where a.payroll_id = new.id and a.state = 'pending'))
  ) then
    raise exception 'payment % cannot go from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if new.amount <> old.amount or new.payroll_group_id <> old.payroll_group_id or new.master_list_id <> old.master_list_id then
    raise exception 'payment % cannot change what it pays', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Other locks of payments that foreign keys pass, too: the comparison of a statement refers to payments that a worker settles meanwhile.
create or replace function doubt_locks_payment() returns trigger language plpgsql as $$
begin
  perform from transfer_payrolls where id = new.payroll_id for no key update;
  return new;
end $$;

create or replace function signed_statement_doubts() returns trigger language plpgsql as $$
begin
  perform from transfer_payrolls where id in (select payroll_id from stated_payments where statement_id = new.id)
  order by id for no key update;
  perform doubt_stated_payments(new.id);
  return null;
end $$;

create or replace function late_refusal_is_doubted() returns trigger language plpgsql as $$
begin
  perform from transfer_payrolls where id = new.payroll_id for no key update;
  insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
  select s.payroll_id, new.id, 'statement', concat_ws(': ', new.state, new.reason), s.place
  from stated_payments s
  where s.payroll_id = new.payroll_id and s.agency_id = new.agency_id and s.state = 'closed'
  on conflict do nothing;
  return null;
end $$;
