import type { AnswerOf } from '@portal/contracts/endpoint'
import type { AgencyFigures, dashboard } from '@portal/contracts/home/dashboard'
import { sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import type { Actor } from '../../kit/http/session.ts'
import { signBar } from '../statements/statement-decision.service.ts'

type Answer = AnswerOf<typeof dashboard.read>

/** Reads what waits for this person, and how the agencies pay. */
export async function readDashboard(db: Db, actor: Actor, fourEyes: boolean): Promise<Answer> {
  const [waits, agencies] = await Promise.all([readWaits(db, actor, fourEyes), readAgencies(db)])
  return { waits, agencies }
}

async function readWaits(db: Db, actor: Actor, fourEyes: boolean): Promise<Answer['waits']> {
  const approves = actor.can('cohorts.approve')
  const [not_progressing, statements, holds] = await Promise.all([
    approves
      ? rows(
          db,
          sql<Answer['waits']['not_progressing'][number]>`
          select a.id, a.name from agency_leases l join transfer_agencies a on a.id = l.agency_id
          where l.stalled_at is not null order by a.name`,
        )
      : [],
    actor.can('statements.sign') ? countStatements(db, actor, fourEyes) : 0,
    approves ? countHolds(db) : 0,
  ])
  return { not_progressing, statements, holds }
}

/** Counts the statements that this person may sign now (Money 9.4). Few are open at once. */
async function countStatements(db: Db, actor: Actor, fourEyes: boolean): Promise<number> {
  const open = await rows(db, sql<{ id: number }>`select id from agency_statements where state = 'open'`)
  const bars = await Promise.all(open.map(({ id }) => signBar(db, actor, fourEyes, id)))
  return bars.filter((bar) => bar === null).length
}

async function countHolds(db: Db): Promise<number> {
  const [found] = await rows(
    db,
    sql<{ count: number }>`
    select count(*) as count from payee_holds where released_at is null
      and (ends_on is null or ends_on >= (now() at time zone 'utc')::date)`,
  )
  return found?.count ?? 0
}

/** How many payments of its latest round say how long an agency takes. */
const sample = 1000

/**
 * Money and answers come from the counters of rounds, and of cohorts that were moved from the agency of each payment.
 * Withheld payments were never sent, so no agency refused them.
 */
function readAgencies(db: Db): Promise<AgencyFigures[]> {
  return rows(
    db,
    sql<AgencyFigures>`
    select a.id, a.name, coalesce(r.disbursed, 0)::bigint as disbursed, coalesce(r.paid, 0)::bigint as paid,
      coalesce(r.refused, 0)::bigint as refused, r.paid::float / nullif(r.paid + r.refused, 0) as success_rate, t.seconds_to_pay
    from transfer_agencies a
    left join (
      select id, sum(disbursed) as disbursed, sum(paid) as paid, sum(refused) as refused from (
        select c.transfer_agency_id as id, g.success_amount as disbursed, g.success as paid, g.failed - g.withheld - cancelled_payments(g.id, g.written_off) as refused
        from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
        where not exists (select from cohort_moves m where m.cohort_id = c.id and m.state = 'approved')
        union all
        select t.agency_id, case p.status when 'success' then p.amount else 0 end, (p.status = 'success')::int, (p.status = 'failed')::int
        from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id
          and (p.status = 'success' or p.status = 'failed' and p.withheld_at is null and p.failure_reason <> 'cancelled')
          join lateral (select agency_id from payment_attempts where payroll_id = p.id order by n desc limit 1) t on true
        where g.cohort_id in (select m.cohort_id from cohort_moves m where m.state = 'approved')) each
      group by 1) r on r.id = a.id
    left join lateral (
      select round(percentile_cont(0.5) within group (order by p.seconds))::int as seconds_to_pay from (
        select extract(epoch from t.settled_at - t.sent_at) as seconds
        from (select id from transfer_payrolls where status = 'success' and payroll_group_id = (
          select g.id from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
          where c.transfer_agency_id = a.id and g.success > 0 order by g.id desc limit 1) limit ${sample}) p
        cross join lateral (select settled_at, sent_at from payment_attempts
          where payroll_id = p.id and state = 'success' and agency_id = a.id offset 0) t
        -- A bank's statement has only the day, and may have one before the file was made.
        where t.settled_at >= t.sent_at) p) t on true
    order by 3 desc, a.name, a.id`,
  )
}
