-- A restored backup lacked a round that its lost database had paid. If the agency had moved, or cannot be asked by reference (a bank that
-- takes files), nobody was asked about the round: a hold lists the rounds that exist. It was made after the release and paid again
-- (Money 8.2). Now a person who has asked the agency starts it.

-- Whether the agency could be asked about a payment by its reference.
alter table sending_hold_lists add column can_ask boolean not null default true;

-- Who confirmed, having asked the agency, that a lost database had not had this round paid.
alter table transfer_rounds add column confirmed_by bigint references users, add column confirmed_at timestamptz;
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
