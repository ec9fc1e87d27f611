-- What a round that is made now costs: the list without the rows whose recipient was erased, which are never paid (Access 7.3).
create function payable_of_list(cohort bigint) returns table (count integer, amount bigint, fees bigint) language sql stable as $$
  select c.master_list_count - e.count, c.list_amount - e.amount, c.list_fees - e.fees
  from transfer_cohorts c cross join lateral (
    select count(*)::integer as count, coalesce(sum(m.amount), 0)::bigint as amount, coalesce(sum(m.fees), 0)::bigint as fees
    from transfer_master_list m where m.cohort_id = c.id and m.erased_at is not null) e
  where c.id = cohort
$$;

-- A planned round reserves what it will cost, so that an erased recipient keeps no francs of a budget (Money 5.17).
create or replace function parameter_spending(parameter bigint) returns table (year integer, spent bigint, reserved bigint)
  language sql stable as $$
  select year, sum(spent)::bigint, sum(reserved)::bigint from (
    select extract(year from g.due_on)::integer as year, g.success_amount + g.success_fees as spent,
      g.pending_amount + g.failed_amount + g.unknown_amount + case when g.pending + g.sending + g.failed + g.unknown = 0 then 0 else
        coalesce((select sum(p.fees) from transfer_payrolls p
          where p.payroll_group_id = g.id and p.status <> 'success' and p.written_off_at is null), 0) end as reserved
    from transfer_cohorts c join transfer_payroll_groups g on g.cohort_id = c.id where c.transfer_parameter_id = parameter
    union all
    select extract(year from r.due_on)::integer, 0, l.amount + l.fees
    from transfer_cohorts c join transfer_rounds r on r.cohort_id = c.id and r.state = 'scheduled'
      cross join lateral payable_of_list(c.id) l
    where c.transfer_parameter_id = parameter and c.status in ('approved', 'error')
  ) costs group by year
$$;
