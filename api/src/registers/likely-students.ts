import { type RawBuilder, sql } from 'kysely'
import type { LikelyPairs } from '../imports/imports.service.ts'

/** How much of two names must be alike; one letter or the order of names may differ. */
const alike = 0.5

const name = sql`(r.entry->>'first_name') || ' ' || (r.entry->>'last_name')`
const born = sql`(r.entry->>'date_of_birth')::date`

/**
 * Who has nearly the same name and the same date of birth as a new row under another code: in the register, or at the
 * same school in a new row of the same file (Imports 3.9).
 */
export function likelyStudents({ importId, numbers, register }: LikelyPairs): RawBuilder<unknown> {
  const registered = sql`select s.student_code as code, u.first_name || ' ' || u.last_name as name, sc.name as place,
      null::int as twin, u.date_of_birth as born, null::bigint as school_id
    from students s join users u on u.id = s.user_id join schools sc on sc.id = s.school_id where ${register}
    union all`
  return sql`
    select n."row", p.code, p.name, p.place, p.twin, similarity(portal_search(p.name), n.name) as likeness
    from (select r."row", r.key, portal_search(${name}) as name, ${born} as born, (r.entry->>'school_id')::bigint as school_id
      from import_rows r where r.import_id = ${importId} and r.kind = 'new'
        and (${numbers}::int[] is null or r."row" = any(${numbers}::int[]))) n
    join (${registered}
      select r.key, ${name}, sc.name, r."row", ${born}, sc.id
      from import_rows r join schools sc on sc.id = (r.entry->>'school_id')::bigint
      where r.import_id = ${importId} and r.kind = 'new') p
      on p.born = n.born and p.code <> n.key and coalesce(p.school_id, n.school_id) = n.school_id
    where similarity(portal_search(p.name), n.name) >= ${alike}`
}
