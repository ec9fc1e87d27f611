-- Failed payments may be made again until their cohort is closed, also after its period (Money 4.11). One that a lost database may have made
-- again keeps its list from being moved for as long.
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
              and (p.status = 'pending' or p.status = 'failed' and p.written_off_at is null)
              and not exists (select from payment_attempts t where t.payroll_id = p.id and t.first_asked = 'clear')
              and not exists (select from sending_hold_questions q
                where q.hold_id = h.id and q.payroll_id = p.id and q.answer is not null)))
      group by r.n) rounds
  ) obstacles where count > 0
$$;
