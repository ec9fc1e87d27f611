-- How many francs a person may approve at once, fees included (Money 5.18). Without a row there is no limit.
create table approval_limits (
  user_id bigint primary key references users (id),
  amount bigint not null,
  set_by bigint not null references users (id),
  set_at timestamptz not null default now(),
  constraint approval_limits_amount check (amount > 0),
  constraint approval_limits_by_another check (set_by <> user_id)
);

-- The people who may approve this many francs at once, as far as their limits go.
create function has_approval_limit_for(person bigint, francs bigint) returns boolean language sql stable as $$
  select not exists (select from approval_limits where user_id = person and amount < francs)
$$;

-- What an approval of a cohort lets be paid: its rounds that are made or planned.
create function approved_francs(cohort bigint) returns bigint language sql stable as $$
  select coalesce(sum(c.list_amount + c.list_fees), 0)::bigint from transfer_cohorts c
  join transfer_rounds r on r.cohort_id = c.id and r.state <> 'missed' where c.id = cohort
$$;

create function approval_keeps_limit() returns trigger language plpgsql as $$
begin
  if not has_approval_limit_for(new.decided_by, approved_francs(new.id)) then
    raise exception 'cohort % is above the limit of its approver', new.id
      using errcode = 'check_violation', constraint = 'approval_limits_kept';
  end if;
  return null;
end $$;
create constraint trigger approval_keeps_limit after update on transfer_cohorts deferrable initially deferred for each row
  when (old.status = 'pending' and new.status = 'approved') execute function approval_keeps_limit();
