-- Every change of a payment's money state, in the transaction that made it (Money 10). Triggers write the events, so none can be
-- forgotten, and nobody else can write one. There are no foreign keys: payments, attempts and agencies are never deleted
-- (Money 4.9), and each key would cost the sending of payments a lookup. `ledger:verify` compares the rows instead.
create table money_events (
  id bigint primary key generated always as identity,
  kind text not null,
  payroll_id bigint not null,
  payroll_group_id bigint not null,
  attempt_id bigint,
  agency_id bigint not null,
  status_before text,
  status text not null,
  amount bigint not null,
  -- The programme's commission, and what the agency said that it charged.
  fees bigint not null,
  agency_fees bigint,
  external_trx_id text,
  reason text,
  -- What a person decided: the row of `payment_settlements` (settled), `recipient_corrections` (corrected) or `agency_statements`
  -- (confirmed, unconfirmed).
  source_id bigint,
  created_at timestamptz not null default now(),
  constraint money_events_amount check (amount > 0 and fees >= 0),
  constraint money_events_kind check (case kind
    when 'expected' then status_before is null and status = 'pending'
    when 'opening' then status_before = 'pending' and status <> 'pending'
    when 'instructed' then status_before = 'pending' and status = 'sending'
    when 'returned' then status_before = 'sending' and status = 'pending'
    when 'unknown' then status_before = 'sending' and status = 'unknown'
    when 'waiting' then status_before = 'unknown' and status = 'sending'
    when 'paid' then status_before in ('sending', 'unknown') and status = 'success'
    when 'failed' then status_before in ('sending', 'unknown') and status = 'failed'
    when 'settled' then status_before in ('sending', 'unknown') and status in ('success', 'failed')
    when 'withheld' then status_before in ('pending', 'sending') and status = 'failed'
    when 'released' then status_before = 'failed' and status = 'pending'
    when 'retried' then status_before = 'failed' and status = 'pending'
    when 'corrected' then status_before = 'failed' and status = 'failed'
    when 'written_off' then status_before = 'failed' and status = 'failed'
    when 'moved' then status_before = 'pending' and status = 'pending'
    when 'fee_corrected' then status_before = status
    when 'confirmed' then status_before = status
    when 'unconfirmed' then status_before = status
    else false end)
);
create index money_events_payment on money_events (payroll_id, id);
-- Events are in the order of their time, so a small index finds a period.
create index money_events_created_at on money_events using brin (created_at);
create trigger money_events_keep before update or delete on money_events for each row execute function refuse_change();
create trigger money_events_keep_all before truncate on money_events for each statement execute function refuse_change();

create function agency_of_round(round_id bigint) returns bigint language sql stable as $$
  select c.transfer_agency_id from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id where g.id = round_id
$$;

create function note_expected() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into money_events (kind, payroll_id, payroll_group_id, agency_id, status, amount, fees)
  select 'expected', a.id, a.payroll_group_id, r.agency_id, 'pending', a.amount, a.fees
  from added a join (select id, agency_of_round(id) as agency_id from (select distinct payroll_group_id as id from added) d) r
    on r.id = a.payroll_group_id
  order by a.id;
  return null;
end $$;

-- A payment was in one state before and is in one after the statement. Both are sorted by payment instead of joined: a plan that was
-- cached for one row would compare every row with every other. Attempts are looked up one by one, for the same reason.
create function note_changes() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into money_events (kind, payroll_id, payroll_group_id, attempt_id, agency_id, status_before, status, amount, fees, agency_fees,
    external_trx_id, reason, source_id)
  select case
      when p.written_off_at is distinct from p.was_written_off_at then 'written_off'
      when p.correction_id is distinct from p.was_correction_id then 'corrected'
      when p.status = p.was then 'fee_corrected'
      when p.status = 'sending' then case p.was when 'pending' then 'instructed' else 'waiting' end
      when s.id is not null then 'settled'
      when p.status = 'success' then 'paid'
      when p.status = 'failed' then case when p.withheld_at is null then 'failed' else 'withheld' end
      when p.status = 'unknown' then 'unknown'
      when p.was = 'sending' then 'returned'
      else case when p.was_withheld_at is null then 'retried' else 'released' end
    end,
    p.id, p.payroll_group_id, t.id, coalesce(t.agency_id, agency_of_round(p.payroll_group_id)), p.was, p.status, p.amount, p.fees,
    p.agency_fees, case when p.status = 'success' then p.external_trx_id end, p.failure_reason,
    coalesce(s.id, case when p.correction_id is distinct from p.was_correction_id then p.correction_id end)
  from (
    select *, lag(status) over w as was, lag(written_off_at) over w as was_written_off_at,
      lag(correction_id) over w as was_correction_id, lag(withheld_at) over w as was_withheld_at,
      lag(agency_fees) over w as was_agency_fees
    from (
      select false as is_new, id, payroll_group_id, status, amount, fees, agency_fees, external_trx_id, failure_reason, written_off_at,
        correction_id, withheld_at from removed
      union all
      select true, id, payroll_group_id, status, amount, fees, agency_fees, external_trx_id, failure_reason, written_off_at,
        correction_id, withheld_at from added
    ) sides window w as (partition by id order by is_new)
  ) p
  left join lateral (
    select id, agency_id from payment_attempts where payroll_id = p.id order by n desc limit 1
  ) t on true
  left join lateral (
    select id from payment_settlements where attempt_id = t.id and state = 'approved' and p.status <> p.was
      and p.status in ('success', 'failed') offset 0
  ) s on true
  where p.is_new and (p.status, p.written_off_at, p.correction_id, p.agency_fees)
    is distinct from (p.was, p.was_written_off_at, p.was_correction_id, p.was_agency_fees)
  order by p.id;
  return null;
end $$;

-- The pending payments of a cohort go through another agency from now on.
create function note_moved() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into money_events (kind, payroll_id, payroll_group_id, agency_id, status_before, status, amount, fees)
  select 'moved', p.id, g.id, new.transfer_agency_id, p.status, p.status, p.amount, p.fees
  from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id
  where g.cohort_id = new.id and p.status = 'pending' order by p.id;
  return null;
end $$;

create function note_confirmations() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into money_events (kind, payroll_id, payroll_group_id, attempt_id, agency_id, status_before, status, amount, fees, agency_fees,
    source_id)
  select case tg_op when 'INSERT' then 'confirmed' else 'unconfirmed' end, p.id, p.payroll_group_id, t.id, s.agency_id, p.status,
    p.status, p.amount, p.fees, p.agency_fees, c.statement_id
  from changed c join transfer_payrolls p on p.id = c.payroll_id join agency_statements s on s.id = c.statement_id
    left join payment_attempts t on t.payroll_id = p.id and t.state = 'success'
  order by p.id;
  return null;
end $$;

-- Making a trigger locks its table against writers until the end, so nothing changes before the events of what exists are made.
-- Triggers run in the order of their names: a payment is expected before it is withheld.
create trigger note_expected after insert on transfer_payrolls
  referencing new table as added for each statement execute function note_expected();
create trigger note_changes after update on transfer_payrolls
  referencing new table as added old table as removed for each statement execute function note_changes();
create trigger note_moved after update of transfer_agency_id on transfer_cohorts for each row
  when (old.transfer_agency_id <> new.transfer_agency_id) execute function note_moved();
create trigger note_confirmed after insert on payment_confirmations
  referencing new table as changed for each statement execute function note_confirmations();
create trigger note_unconfirmed after delete on payment_confirmations
  referencing old table as changed for each statement execute function note_confirmations();

-- What there is already: that a payment was expected, how it stands (its opening), and what people and statements said of it.
insert into money_events (kind, payroll_id, payroll_group_id, attempt_id, agency_id, status_before, status, amount, fees, agency_fees,
  external_trx_id, reason, source_id, created_at)
select e.kind, p.id, p.payroll_group_id, case when e.place > 1 then t.id end, coalesce(t.agency_id, agency_of_round(p.payroll_group_id)),
  case when e.place > 2 then p.status when e.place = 2 then 'pending' end, case when e.place = 1 then 'pending' else p.status end,
  p.amount, p.fees, case when e.place > 1 then p.agency_fees end, case when e.place > 1 and p.status = 'success' then p.external_trx_id end,
  case when e.place = 2 then p.failure_reason end, e.source_id, e.at
from transfer_payrolls p
left join lateral (select id, agency_id, settled_at from payment_attempts where payroll_id = p.id order by n desc limit 1) t on true
left join payment_confirmations c on c.payroll_id = p.id
left join agency_statements s on s.id = c.statement_id
cross join lateral (values
  ('expected', 1, true, p.created_at, null::bigint),
  ('opening', 2, p.status <> 'pending', coalesce(t.settled_at, p.updated_at), null),
  ('written_off', 3, p.written_off_at is not null, p.written_off_at, null),
  ('confirmed', 4, c.payroll_id is not null, s.ended_at, c.statement_id)
) e (kind, place, is_so, at, source_id)
where e.is_so
order by e.at, p.id, e.place;
