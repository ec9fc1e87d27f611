import { sql } from 'kysely'
import type { Db, Reader } from '../kit/database/db.ts'

/** Adds up all reports by class and month again (decision 227). Reports that arrive meanwhile are stored, and processed after it. */
export const recountReports = (db: Db) => sql`select recount_reports()`.execute(db)

/** How many sums of reports there are, and a sentence if some are not those of the reports. It reads one state of the database. */
export async function verifyReportSums(db: Reader): Promise<{ sums: number; faults: string[] }> {
  const { rows } = await sql<{ sums: number; wrong: number }>`
    with kept as (select * from attendance_by_class where present <> 0 or enrolled <> 0),
      reported as (
        select date_trunc('month', date)::date as month, school_id, class, sum(present)::bigint as present, sum(enrolled)::bigint as enrolled
        from attendance where who = 'learners' and not withdrawn group by 1, 2, 3 having sum(enrolled) <> 0),
      wrong as ((table kept except table reported) union (table reported except table kept))
    select (select count(*) from reported) as sums, (select count(distinct (month, school_id, class)) from wrong) as wrong`.execute(
    db,
  )
  const { sums, wrong } = rows[0] ?? { sums: 0, wrong: 0 }
  return {
    sums,
    faults:
      wrong > 0
        ? [
            `${wrong} sums of attendance are not those of the reports (npm run totals:rebuild adds them up again)`,
          ]
        : [],
  }
}
