import { sql } from 'kysely'

/** SQL: the sums of the rounds of cohort `c`. */
export const cohortStats = sql`
  (select jsonb_build_object(
    'total_amount_expected', coalesce(sum(expected_amount), 0), 'total_amount_disbursed', coalesce(sum(success_amount), 0),
    'total_amount_arrears', coalesce(sum(failed_amount), 0), 'total_amount_pending', coalesce(sum(pending_amount), 0),
    'total_amount_unknown', coalesce(sum(unknown_amount), 0), 'total_amount_written_off', coalesce(sum(written_off_amount), 0),
    'total_amount_fees', coalesce(sum(success_fees), 0))
   from transfer_payroll_groups where cohort_id = c.id)`

/** SQL: how many of the payments of cohort `c` arrived, and how many of these are confirmed. */
export const confirmedSums = sql`
  (select coalesce(sum(r.success), 0)::bigint as payments_disbursed, coalesce(sum(k.count), 0)::bigint as payments_confirmed,
    coalesce(sum(k.amount), 0)::bigint as total_amount_confirmed
  from transfer_payroll_groups r left join round_confirmations k on k.payroll_group_id = r.id where r.cohort_id = c.id)`

/** SQL: what lists and pages have of a cohort. */
export const cohortColumns = sql`
  c.id, c.name, c.description, c."from", c."to", c.status, c.stopped_at is not null as stopped,
  exists (select from cohort_closings k where k.cohort_id = c.id) as closed,
  c."to" < (now() at time zone 'utc')::date as period_over, c.transfer_agency_id, c.transfer_parameter_id,
  jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as "user",
  c.created_at, c.master_list_count, c.list_amount, c.list_fees, c.rounds_total, ${cohortStats} as transfer_cohort_stats`

export const cohortTables = sql`
  transfer_cohorts c
  join transfer_agencies a on a.id = c.transfer_agency_id
  join transfer_parameters p on p.id = c.transfer_parameter_id
  join users u on u.id = c.user_id`

/** SQL: how far the import `i` of the list is. */
export const importColumns = sql`jsonb_build_object('id', i.id, 'state', i.state, 'rows_read', i.rows_read,
  'rows_imported', i.rows_new + i.rows_changed + i.rows_unchanged, 'rows_rejected', i.rows_rejected, 'rows_duplicate', i.rows_duplicate)`

/** SQL: the latest round of cohort `c` that was made. */
export const latestRound = sql`
  (select * from transfer_payroll_groups r where cohort_id = c.id and not round_is_missed(c.id, r.n) order by id desc limit 1)`
