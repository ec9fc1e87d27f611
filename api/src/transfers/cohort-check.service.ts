import type { CohortSummary } from '@portal/contracts/cohorts'
import type { Text } from '@portal/contracts/sentences'
import { sql } from 'drizzle-orm'
import type { Reader } from '../kit/db.ts'
import { say } from './messages.ts'

/** Other cohorts being paid whose period overlaps and that hold some of the same students (decisions 4.7). */
export async function overlaps(db: Reader, cohortId: number): Promise<CohortSummary['check']['overlaps']> {
  const { rows } = await db.execute<CohortSummary['check']['overlaps'][number]>(sql`
    select o.id as cohort_id, o.name as cohort_name, count(*) as students
    from transfer_cohorts c
    join transfer_cohorts o on o.id <> c.id and o.status in ('approved', 'error') and o."from" <= c."to" and o."to" >= c."from"
    join transfer_master_list theirs on theirs.cohort_id = o.id
    join transfer_master_list ours on ours.cohort_id = c.id and ours.student_id = theirs.student_id
    where c.id = ${cohortId} group by o.id, o.name order by o.id`)
  return rows
}

/** Why this person may not approve, retry or start a round of a cohort, or null (four eyes, decisions 3.4). */
export function decisionBar(actor: { id: number }, uploaderId: number, fourEyes: boolean): Text | null {
  return fourEyes && actor.id === uploaderId ? say.fourEyes : null
}
