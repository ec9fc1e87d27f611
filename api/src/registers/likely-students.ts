import { type RawBuilder, sql } from 'kysely'
import type { LikelyPairs } from '../imports/imports.service.ts'

/** How much of two names must be alike; one letter or the order of names may differ. */
const alike = 0.5

const name = sql`(r.entry->>'first_name') || ' ' || (r.entry->>'last_name')`
const born = sql`(r.entry->>'date_of_birth')::date`

/**
 * SQL: people who have nearly the same name and the same date of birth as a new row, under another code: in the register, or at the
 * same school in a new row of the same file (Imports 3.9). Of a whole file only people of the same school are compared:
 * where birthdays are unknown, thousands have the first of January.
 */
export function likelyStudents({ importId, numbers, register }: LikelyPairs): RawBuilder<unknown> {
  const whole = numbers === null
  // For a whole file each name is folded once. For a page only the few names with the same date are folded.
  const kept = whole ? sql`materialized` : sql`not materialized`
  const near = whole ? sql`p.school_id = n.school_id` : sql`(p.twin is null or p.school_id = n.school_id)`
  // The planner has no statistics of rows that were just staged and would expect few. A full join is never a nested loop. Its
  // rows without a partner are left out below.
  const join = whole ? sql`full join` : sql`join`
  return sql`
    with n as ${kept} (
      select r."row", r.key, portal_search(${name}) as folded, ${born} as born, (r.entry->>'school_id')::bigint as school_id
      from import_rows r where r.import_id = ${importId} and r.kind = 'new'
        and (${whole} or r."row" = any(${numbers ?? []}::int[]))),
    known as ${kept} (
      select s.student_code as code, u.first_name || ' ' || u.last_name as name, null::int as twin, u.date_of_birth as born,
        s.school_id, portal_search(u.first_name || ' ' || u.last_name) as folded
      from students s join users u on u.id = s.user_id where ${register}
      union all
      select r.key, ${name}, r."row", ${born}, (r.entry->>'school_id')::bigint, portal_search(${name})
      from import_rows r where r.import_id = ${importId} and r.kind = 'new')
    select n."row", p.code, p.name, (select name from schools where id = p.school_id) as place, p.twin,
      similarity(p.folded, n.folded) as likeness
    from n ${join} known p on p.born = n.born and ${near}
    where coalesce(p.code <> n.key and similarity(p.folded, n.folded) >= ${alike}, false)`
}
