-- A restored backup lacked a round that its lost database had paid. If the agency had moved, or cannot be asked by reference (a bank that
-- takes files), nobody was asked about the round: a hold lists the rounds that exist. It was made after the release and paid again
-- (Money 8.4). Now a person who has asked the agency starts it.

-- Whether the agency can be asked about a payment by its reference. Until a worker has found out, it counts as one that cannot. Of the
-- holds before, the protocols of now that can are known.
alter table sending_hold_lists add column can_ask boolean not null default false;
update sending_hold_lists l set can_ask = true from transfer_agencies a where a.id = l.agency_id and a.protocol in ('wave', 'sandbox');

-- Who confirmed, having asked the agency, that a lost database had not had this round paid. Both columns are new and empty, and the table
-- has one row for each round, so it is locked for a moment.
-- squawk-ignore adding-foreign-key-constraint
alter table transfer_rounds add column confirmed_by bigint references users, add column confirmed_at timestamptz;
-- The same holds for their check.
-- squawk-ignore constraint-missing-not-valid
alter table transfer_rounds add constraint transfer_rounds_confirmed check ((confirmed_by is null) = (confirmed_at is null));

-- Whether a lost database may have had a round that is due on this day paid, without a way to ask the agency of now: it cannot be asked,
-- or other access was set for it in the lost database or since the hold. A confirmation counts against the holds before it.
create function round_is_perhaps_paid(cohort bigint, due date, confirmed timestamptz) returns boolean language sql stable as $$
  select exists (
    select from sending_holds h join transfer_cohorts c on c.id = cohort and c.created_at <= h.raised_at
      join transfer_agencies a on a.id = c.transfer_agency_id
      join sending_hold_lists l on l.hold_id = h.id and l.agency_id = a.id
    where due <= (h.raised_at at time zone 'utc')::date + 1 and (confirmed is null or confirmed < h.raised_at)
      and (l.moved or not l.can_ask or agency_takes_files(a.protocol) or exists (
        select from transfer_agency_changes x where x.agency_id = a.id and x.state = 'confirmed' and x.decided_at > h.raised_at)))
$$;

-- A hold that is being raised lists the rounds that exist. Whoever makes one meanwhile waits for it, or is waited for.
create function round_is_not_paid_before() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('rounds of a hold'));
  if round_is_perhaps_paid(new.cohort_id, new.due_on,
    (select confirmed_at from transfer_rounds where cohort_id = new.cohort_id and n = new.n)) then
    raise exception 'round % of cohort % may have been paid before', new.n, new.cohort_id
      using errcode = 'check_violation', constraint = 'transfer_payroll_groups_not_paid_before';
  end if;
  return new;
end $$;
create trigger round_is_not_paid_before before insert on transfer_payroll_groups
  for each row execute function round_is_not_paid_before();

-- Whether a person has asked the agency about this round since the hold, in place of the portal. One that did not answer is asked before it
-- pays.
create function round_is_confirmed(hold sending_holds, round transfer_rounds) returns boolean language sql stable as $$
  select coalesce(round.confirmed_at >= hold.raised_at, false)
    or exists (select from sending_hold_rounds x join transfer_payroll_groups g on g.id = x.payroll_group_id
      where x.hold_id = hold.id and g.cohort_id = round.cohort_id and g.n = round.n and x.confirmed_at is not null and x.failure <> 'unreachable')
$$;

-- Payments that are still to be asked about at the agency's present address keep it, too: they may have been paid there (Money 6.3, 8.4).
-- Rounds whose questions a hold has had answered are not looked at, because the pages of agencies count this. While a hold is open nothing
-- of an agency changes anyway.
create or replace function agency_open_outcomes(agency bigint) returns bigint language sql stable as $$
  select (select count(*) from payment_attempts where agency_id = agency and state in ('sending', 'unknown')) + (
    select count(*) from transfer_cohorts c join transfer_rounds r on r.cohort_id = c.id
      join transfer_payroll_groups g on g.cohort_id = c.id and g.n = r.n and g.pending + g.withheld > 0
      join transfer_payrolls p on p.payroll_group_id = g.id
    where c.transfer_agency_id = agency and not exists (select from sending_holds where released_at is null)
      and exists (select from sending_holds h
        where c.created_at <= h.raised_at and r.due_on <= (h.raised_at at time zone 'utc')::date + 1 and not round_is_confirmed(h, r)
          and not exists (select from sending_hold_rounds x where x.hold_id = h.id and x.payroll_group_id = g.id and x.failure is null))
      and (p.status = 'pending' or p.status = 'failed' and p.withheld_at is not null and p.written_off_at is null)
      and payment_is_asked_first(p.id, g.id)
      and not exists (select from payment_attempts t where t.payroll_id = p.id and t.first_asked = 'clear'))
$$;

-- A round about which a person has asked the agency kept its list from being moved for ever, because no query about it is ever answered.
create or replace function cohort_move_obstacles(cohort bigint, agency bigint) returns table (kind text, count bigint) language sql stable as $$
  select kind, count from (
    select 'cohort' as kind, 1 - count(*) as count from transfer_cohorts c
      where c.id = cohort and c.status in ('approved', 'error') and not exists (select from cohort_closings k where k.cohort_id = c.id)
    union all
    select 'held', count(*) from sending_holds where released_at is null
    union all
    select 'agency', 1 - count(*) from transfer_agencies a, transfer_cohorts c join transfer_agencies o on o.id = c.transfer_agency_id
      where c.id = cohort and a.id = agency and a.id <> o.id and a.status = 'active' and a.country = o.country
    union all
    select 'nothing', 1 from transfer_cohorts c where c.id = cohort
      and not exists (select from transfer_payroll_groups g where g.cohort_id = c.id and g.pending + g.sending + g.failed - g.written_off > 0)
      and not exists (select from transfer_rounds r where r.cohort_id = c.id
        and not exists (select from transfer_payroll_groups g where g.cohort_id = c.id and g.n = r.n))
    union all
    -- An order in a file of a bank does not become pending again.
    select 'sending', count(*) from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id and p.status = 'sending'
      where g.cohort_id = cohort and g.sending > 0 and not exists (
        select from payment_attempts t join bank_file_payments f on f.attempt_id = t.id where t.payroll_id = p.id and t.state = 'sending')
    union all
    select 'unpayable', count(*) from transfer_master_list m join transfer_agencies a on a.id = agency
      where m.cohort_id = cohort and m.erased_at is null
        and agency_lacks(a, m.receiver_phone_number, m.receiver_account, m.receiver_bank)
        and exists (select from recipient_of(m.id) r where agency_lacks(a, r.phone, r.account, r.bank))
    union all
    select 'asked_first', count(*) from (
      select r.n from sending_holds h join transfer_cohorts c on c.id = cohort and c.created_at <= h.raised_at
        join transfer_rounds r on r.cohort_id = c.id and r.due_on <= (h.raised_at at time zone 'utc')::date + 1
      where not exists (select from sending_hold_lists l
          where l.hold_id = h.id and l.agency_id = c.transfer_agency_id and l.state = 'read' and not l.moved)
        and not round_is_confirmed(h, r)
        and (not exists (select from transfer_payroll_groups g where g.cohort_id = c.id and g.n = r.n)
          or exists (select from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id
            where g.cohort_id = c.id and g.n = r.n
              and (p.status = 'pending' or p.status = 'failed' and p.written_off_at is null and c."to" >= (now() at time zone 'utc')::date)
              and not exists (select from payment_attempts t where t.payroll_id = p.id and t.first_asked = 'clear')
              and not exists (select from sending_hold_questions q
                where q.hold_id = h.id and q.payroll_id = p.id and q.answer is not null)))
      group by r.n) rounds
  ) obstacles where count > 0
$$;
