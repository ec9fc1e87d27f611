-- What may be paid with a parameter in a calendar year, fees included (Money 5.17). One person proposes it, another confirms it.
-- The latest confirmed one counts.
create table parameter_budgets (
  id bigint primary key generated always as identity,
  parameter_id bigint not null references transfer_parameters (id),
  year integer not null,
  amount bigint not null,
  reason text not null,
  state text not null default 'proposed',
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  decided_by bigint references users (id),
  decided_at timestamptz,
  -- False only if the installation allows one person to do both, as the demo does (Money 6.2).
  two_people boolean not null default true,
  constraint parameter_budgets_year check (year between 2000 and 2100),
  constraint parameter_budgets_amount check (amount > 0),
  constraint parameter_budgets_reason check (reason ~ '\S'),
  constraint parameter_budgets_state check (state in ('proposed', 'confirmed', 'refused')),
  constraint parameter_budgets_decided check ((state = 'proposed') = (decided_by is null) and (state = 'proposed') = (decided_at is null)),
  constraint parameter_budgets_two_people check (state <> 'confirmed' or decided_by <> user_id or not two_people)
);
create unique index parameter_budgets_one_open on parameter_budgets (parameter_id, year) where state = 'proposed';
create index parameter_budgets_latest on parameter_budgets (parameter_id, year, id) where state = 'confirmed';

create function budget_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state <> 'proposed' or (new.parameter_id, new.year, new.amount, new.reason, new.user_id, new.created_at)
    is distinct from (old.parameter_id, old.year, old.amount, old.reason, old.user_id, old.created_at) then
    raise exception 'budget % stays as it was proposed and decided', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger budget_is_kept before update or delete on parameter_budgets for each row execute function budget_is_kept();

-- The budget that counts, or null.
create function counted_budget(parameter bigint, of_year integer) returns bigint language sql stable as $$
  select amount from parameter_budgets where parameter_id = parameter and year = of_year and state = 'confirmed'
  order by id desc limit 1
$$;

-- What the approved cohorts of a parameter have cost and will cost, by the year in which their rounds are due. Spent is what was
-- paid. Reserved is what the other payments of these rounds will cost, unless they are written off, and what planned rounds will.
create function parameter_spending(parameter bigint) returns table (year integer, spent bigint, reserved bigint)
  language sql stable as $$
  select year, sum(spent)::bigint, sum(reserved)::bigint from (
    select extract(year from g.due_on)::integer as year, g.success_amount + g.success_fees as spent,
      g.pending_amount + g.failed_amount + g.unknown_amount + case when g.pending + g.sending + g.failed + g.unknown = 0 then 0 else
        coalesce((select sum(p.fees) from transfer_payrolls p
          where p.payroll_group_id = g.id and p.status <> 'success' and p.written_off_at is null), 0) end as reserved
    from transfer_cohorts c join transfer_payroll_groups g on g.cohort_id = c.id where c.transfer_parameter_id = parameter
    union all
    select extract(year from r.due_on)::integer, 0, c.list_amount + c.list_fees
    from transfer_cohorts c join transfer_rounds r on r.cohort_id = c.id and r.state = 'scheduled'
    where c.transfer_parameter_id = parameter and c.status in ('approved', 'error')
  ) costs group by year
$$;

-- A cohort whose rounds would pass a budget is not approved, whatever the code does. The lock makes approvals that use the same
-- parameter run one after the other.
create function approval_keeps_budgets() returns trigger language plpgsql as $$
begin
  perform from transfer_parameters where id = new.transfer_parameter_id for no key update;
  if exists (select from parameter_spending(new.transfer_parameter_id) s
    where s.spent + s.reserved > counted_budget(new.transfer_parameter_id, s.year)
      and exists (select from transfer_rounds r where r.cohort_id = new.id and r.state <> 'missed'
        and extract(year from r.due_on)::integer = s.year)) then
    raise exception 'cohort % would pass a budget', new.id
      using errcode = 'check_violation', constraint = 'parameter_budgets_kept';
  end if;
  return null;
end $$;
create constraint trigger approval_keeps_budgets after update on transfer_cohorts deferrable initially deferred for each row
  when (old.status = 'pending' and new.status = 'approved') execute function approval_keeps_budgets();
