-- A restored backup lacked a round that its lost database had paid. If the agency had moved, or cannot be asked by reference (a bank that
-- takes files), nobody was asked about the round: a hold lists the rounds that exist. It was made after the release and paid again
-- (Money 8.2). Now a person who has asked the agency starts it.

-- Whether the agency could be asked about a payment by its reference.
alter table sending_hold_lists add column can_ask boolean not null default true;

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

create function round_is_not_paid_before() returns trigger language plpgsql as $$
begin
  if round_is_perhaps_paid(new.cohort_id, new.due_on,
    (select confirmed_at from transfer_rounds where cohort_id = new.cohort_id and n = new.n)) then
    raise exception 'round % of cohort % may have been paid before', new.n, new.cohort_id
      using errcode = 'check_violation', constraint = 'transfer_payroll_groups_not_paid_before';
  end if;
  return new;
end $$;
create trigger round_is_not_paid_before before insert on transfer_payroll_groups
  for each row execute function round_is_not_paid_before();

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
        -- A person has asked the agency in place of the portal. One that did not answer is asked before it pays.
        and (r.confirmed_at is null or r.confirmed_at < h.raised_at)
        and not exists (select from sending_hold_rounds x join transfer_payroll_groups g on g.id = x.payroll_group_id
          where x.hold_id = h.id and g.cohort_id = c.id and g.n = r.n and x.confirmed_at is not null and x.failure <> 'unreachable')
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
