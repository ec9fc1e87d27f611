import { sql } from 'kysely'
import type { Db, Reader } from '../kit/database/db.ts'

/** So many changes are counted in one transaction. */
const atOnce = 20_000

/**
 * Counts the students again who have changed since they were counted (decision 225). Counts are exact before it, too: whoever reads them adds
 * these students one by one, so it only has to be done before there are many.
 */
export async function countChangedStudents(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{
      changes: number
    }>`select count_changed_students(${atOnce}::int) as changes`.execute(db)
    if ((rows[0]?.changes ?? 0) < atOnce) return
  }
}

/** Counts all students again. Registers may be written meanwhile. */
export const recountStudents = (db: Db) => sql`select recount_students()`.execute(db)

/** How many students are counted, and a sentence if the counts are not those of the registers. It reads one state of the database. */
export async function verifyCountedStudents(db: Reader): Promise<{ students: number; faults: string[] }> {
  const group = sql.raw('school_id, class_id, level')
  const { rows } = await sql<{ students: number; wrong: number }>`
    with kept as (
        select ${group}, sum(students) as students, sum(girls) as girls, sum(guardians) as guardians, sum(numbers_ml) as numbers_ml, sum(numbers_sn) as numbers_sn
        from student_counts_now group by 1, 2, 3),
      registered as (
        select ${group}, count(*) as students, count(*) filter (where girl) as girls, count(*) filter (where girl and guardian) as guardians,
          count(*) filter (where girl and number_ml) as numbers_ml, count(*) filter (where girl and number_sn) as numbers_sn
        from live_students group by 1, 2, 3),
      wrong_counts as ((table kept except table registered) union (table registered except table kept)),
      wrong_students as (
        select student_id from (
          (select * from counted_students except select * from live_students) union (select * from live_students except select * from counted_students)) different
        where student_id not in (select student_id from changed_students))
    select (select coalesce(sum(students), 0) from registered) as students,
      (select count(distinct (school_id, class_id, level)) from wrong_counts where students <> 0) + (select count(distinct student_id) from wrong_students) as wrong`.execute(
    db,
  )
  const { students, wrong } = rows[0] ?? { students: 0, wrong: 0 }
  return {
    students,
    faults:
      wrong > 0
        ? [
            `${wrong} counts of girls by class are not those of the registers (npm run totals:rebuild counts them again)`,
          ]
        : [],
  }
}
