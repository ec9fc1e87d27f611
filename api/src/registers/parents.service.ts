import type { QueryOf } from '@portal/contracts/endpoint'
import { namesOf } from '@portal/contracts/field'
import { parentFields } from '@portal/contracts/registers/parents.fields'
import type { parents as calls, Parent, ParentEdit } from '@portal/contracts/registers-parents'
import { sql } from 'kysely'
import { type Db, rows, transaction } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import { notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { lockVersion, saveChanges } from './edit.service.ts'
import { ownColumns } from './field-columns.ts'

const from = sql`parents p join users u on u.id = p.user_id`
const ofPerson = namesOf(parentFields, ({ stored }) => stored === 'person')
const columns = sql`p.id, jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name) as "user",
  coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', su.first_name || ' ' || su.last_name, 'student_code', s.student_code)
      order by s.student_code)
    from parent_students ps join students s on s.id = ps.student_id join users su on su.id = s.user_id
    where ps.parent_id = p.id), '[]') as students,
  ${ownColumns(parentFields, sql`p`)}, p.created_at, p.version`
const ofSchools = (schools: ReturnType<typeof sql>) =>
  sql`exists (select from parent_students ps join students s on s.id = ps.student_id where ps.parent_id = p.id and s.school_id = any(${schools}))`

/** Guardians, sorted by name by default. */
export async function listParents(db: Db, query: QueryOf<typeof calls.list>) {
  const list = await paged<Parent>(db, query, {
    columns,
    from,
    narrow: sql`parents p`,
    where: [
      matches(sql`p.search`, query.search),
      query.school && ofSchools(sql`array[${query.school}]::bigint[]`),
      query.cap && ofSchools(sql`array(select id from schools where cap_id = ${query.cap})`),
      query.displaced && sql`p.displaced_or_resident = ${query.displaced}`,
      query.handicap && sql`p.is_handicap = ${query.handicap === 'true'}`,
    ],
    sort: {
      last_name: sql`p.person collate "fr-x-icu"`,
      parent_assigned_id: sql`p.parent_assigned_id`,
      created_at: sql`p.id`,
    },
    order: 'last_name',
    key: sql`p.id`,
    total: 'parents',
    covered: {
      text: sql`p.search`,
      name: sql`p.person collate "fr-x-icu"`,
      as: sql`p`,
      columns: sql`p.id, p.person`,
    },
    // The girls of a school or CAP have few guardians among all, and no index finds them: they are read once.
    planned: Boolean(query.school || query.cap),
    compared: Boolean(query.school || query.cap),
  })
  return { parents: list }
}

/** Reads one guardian, or throws 404. */
export async function readParent(db: Db, id: number): Promise<Parent> {
  const [parent] = await rows(db, sql<Parent>`select ${columns} from ${from} where p.id = ${id}`)
  if (!parent) throw notFound()
  return parent
}

type Stored = Record<string, unknown> & { id: number; user_id: number }

/** Changes a guardian. */
export function updateParent(db: Db, actor: Actor, id: number, edit: ParentEdit): Promise<void> {
  return transaction(db, async (tx) => {
    const stored = await lockVersion<Stored>(
      tx,
      sql`select p.*, u.first_name, u.last_name from ${from} where p.id = ${id} for update`,
      edit.version,
    )
    const { version: _, ...fields } = edit
    await saveChanges(
      tx,
      actor,
      { table: 'parents', person: ofPerson, subject: 'parent', version: edit.version },
      stored,
      fields,
    )
  })
}
