import type { Text } from '@portal/contracts/sentences'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { sql } from 'kysely'
import type { Reader } from '../../kit/database/db.ts'
import { fourEyesBars } from '../messages.ts'

type Check = CohortSummary['check']
/** An act on a cohort that bars the person who did it from deciding on that cohort. */
export type Touch = keyof typeof fourEyesBars

/** Finds the other approved cohorts with an overlapping period that have some of the same students (Money 5.7). */
export async function overlaps(db: Reader, cohortId: number): Promise<Check['overlaps']> {
  const { rows } = await sql<Check['overlaps'][number]>`
    select o.id as cohort_id, o.name as cohort_name, count(distinct ours.student_id) as students
    from transfer_cohorts c
    join transfer_cohorts o on o.id <> c.id and o.status in ('approved', 'error') and o."from" <= c."to" and o."to" >= c."from"
    join transfer_master_list theirs on theirs.cohort_id = o.id
    join transfer_master_list ours on ours.cohort_id = c.id and ours.student_id = theirs.student_id
    where c.id = ${cohortId} group by o.id, o.name order by o.id`.execute(db)
  return rows
}

/**
 * Returns why this person may not approve, retry, resume or start a round of a cohort, or null. Four eyes bar anybody
 * who worked on its list, its agency or its parameter (Money 6.1).
 */
export async function decisionBar(
  db: Reader,
  actor: { id: number },
  cohortId: number,
  fourEyes: boolean,
): Promise<Text | null> {
  if (!fourEyes) return null
  const { rows } = await sql<{ how: Touch }>`
    select how from cohort_touched_by(${cohortId}) where user_id = ${actor.id}`.execute(db)
  const did = new Set(rows.map(({ how }) => how))
  const first = (Object.keys(fourEyesBars) as Touch[]).find((how) => did.has(how))
  return first ? fourEyesBars[first] : null
}

/**
 * SQL: the ids of the people who cannot decide on a cohort. Without four eyes those who uploaded and confirmed its list
 * may, and are left out as well, because they know of it.
 */
export const barredFrom = (cohortId: number, fourEyes: boolean) => sql`
  select user_id from cohort_touched_by(${cohortId}) where ${fourEyes} or how in ('uploaded', 'confirmed')`

/** Returns who changed rows in the review, how many rows, and who confirmed the review. */
export async function reviewOf(db: Reader, cohortId: number): Promise<Check['review']> {
  const { rows } = await sql<{ review: Check['review'] }>`
    select jsonb_build_object(
      'confirmed_by', (select jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name)
        from users u where u.id = i.confirmed_by),
      'rows_changed', (select count(distinct "row") from import_corrections where import_id = i.id),
      'rows_left_out', (select count(*) from import_errors where import_id = i.id and message = 'left_out'),
      'headings', coalesce(i.params->'headings', '{}'),
      'changed_by', coalesce((select jsonb_agg(jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) order by u.id)
        from users u where u.id in (select user_id from import_corrections where import_id = i.id)), '[]')) as review
    from transfer_cohorts c join imports i on i.id = c.import_id where c.id = ${cohortId}`.execute(db)
  return (
    rows[0]?.review ?? { confirmed_by: null, rows_changed: 0, rows_left_out: 0, headings: {}, changed_by: [] }
  )
}
