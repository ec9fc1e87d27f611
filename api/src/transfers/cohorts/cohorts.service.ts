import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import type { transfers } from '@portal/contracts/transfers'
import type { Cohort, CohortSummary, Payable } from '@portal/contracts/transfers/cohorts'
import { sql } from 'kysely'
import { type Db, type Reader, rows } from '../../kit/database/db.ts'
import { matches, paged } from '../../kit/database/paging.ts'
import { notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { isPerhapsPaid } from '../rounds/rounds.service.ts'
import { cohortColumns, cohortTables } from './cohort-columns.ts'

const listColumns = sql`${cohortColumns},
  jsonb_build_object('name', a.name) as transfer_agency,
  jsonb_build_object('name', p.name, 'commission', p.commission_hundredths / 100.0) as transfer_parameter`

/**
 * SQL: the actor uploaded the cohort and has to act on it: it is in payment error, or it was rejected, its period is not
 * over, and no list of the same title and period was uploaded since (Money 5.12).
 */
const waitsFor = (
  actor: Actor,
) => sql`(c.user_id = ${actor.id} and c.imported_at is not null and (c.status = 'error'
  or c.status = 'rejected' and c."to" >= (now() at time zone 'utc')::date and not exists (
    select from transfer_cohorts n where n.id > c.id and n.status <> 'rejected' and n."from" = c."from" and n."to" = c."to"
      and portal_search(n.name) = portal_search(c.name))))`

/** SQL: the status that a cohort is filtered and sorted by. One that was closed for good keeps its own beneath that. */
export const shownCohortStatus = sql`case when exists (select from cohort_closings k where k.cohort_id = c.id) then 'closed' else c.status end`

/** Counts the own cohorts that wait for whoever may upload lists. Others have none. */
export async function waitingCohorts(db: Db, actor: Actor): Promise<{ rejected: number; error: number }> {
  if (!actor.can('cohorts.create') || !actor.can('transfers.view')) return { rejected: 0, error: 0 }
  const [counts] = await rows(
    db,
    sql<{ rejected: number; error: number }>`
      select count(*) filter (where c.status = 'rejected') as rejected, count(*) filter (where c.status = 'error') as error
      from transfer_cohorts c where ${waitsFor(actor)}`,
  )
  return counts ?? { rejected: 0, error: 0 }
}

/** Lists the cohorts whose list is imported. The default order is newest first. */
export function listCohorts(
  db: Db,
  actor: Actor,
  query: QueryOf<typeof transfers.cohorts>,
): Promise<Page<Cohort>> {
  return paged<Cohort>(db, query, {
    columns: listColumns,
    from: cohortTables,
    where: [
      sql`c.imported_at is not null`,
      matches(sql`portal_search(c.name || ' ' || c.description)`, query.search),
      query.status && sql`${shownCohortStatus} = ${query.status}`,
      query.waits && sql`(c.status = ${query.waits} and ${waitsFor(actor)})`,
      query.transfer_agency_id && sql`c.transfer_agency_id = ${query.transfer_agency_id}`,
    ],
    sort: {
      created_at: sql`c.created_at`,
      name: sql`c.name collate "fr-x-icu"`,
      status: shownCohortStatus,
      from: sql`c."from"`,
    },
    order: '-created_at',
    key: sql`c.id`,
  })
}

/** Returns the newest cohorts for the settings page. */
export function lastCohorts(db: Db, count: number): Promise<Cohort[]> {
  return rows(
    db,
    sql`
    select ${listColumns} from ${cohortTables}
    where c.imported_at is not null order by c.created_at desc, c.id desc limit ${count}`,
  )
}

/**
 * Returns a cohort with the columns of the list, or throws 404. It also finds a cohort whose import is running, because
 * its page waits for the import.
 */
export async function readCohort(db: Db, id: number): Promise<Cohort> {
  const [cohort] = await rows(db, sql<Cohort>`select ${listColumns} from ${cohortTables} where c.id = ${id}`)
  if (!cohort) throw notFound()
  return cohort
}

/**
 * The plan of a cohort's rounds; empty before approval. Closing a cohort marks what was planned as missed in the database; a round
 * whose day had not passed by then was not missed, but is not made any more.
 */
export function readRounds(db: Db, cohortId: number): Promise<CohortSummary['rounds']> {
  return rows(
    db,
    sql`
    select r.n, r.due_on, g.id as payroll_group_id, ${isPerhapsPaid} as perhaps_paid,
      case when r.state = 'missed' and r.due_on >= (k.created_at at time zone 'utc')::date then 'not_made' else r.state end as state
    from transfer_rounds r
    left join transfer_payroll_groups g on g.cohort_id = r.cohort_id and g.n = r.n
    left join cohort_closings k on k.cohort_id = r.cohort_id
    where r.cohort_id = ${cohortId} order by r.n`,
  )
}

/** Reads what a round that is made now has: the rows of the list whose recipient was not erased. */
export async function readPayable(db: Reader, cohortId: number): Promise<Payable> {
  const [payable] = await rows(
    db,
    sql<Payable>`select count, amount, fees from payable_of_list(${cohortId}::bigint)`,
  )
  if (!payable) throw notFound()
  return payable
}
