import type { ModuleRecord, Referable } from '@portal/contracts/module-records'
import type { Permission } from '@portal/contracts/permissions'
import type { Referenced } from '@portal/contracts/record-types'
import { seesRegisters } from '@portal/contracts/registers'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../kit/database/db.ts'
import { invalid } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { say } from './messages.ts'
import type { Declared } from './shelves.ts'

type Data = Record<string, unknown>
/** A school, a student or a case by the words that people know it by. */
type Named = Pick<Referable, 'id' | 'code' | 'name'>

/** Whose rights count: a person, or in a worker what she may. With the id null nobody, who has no cases of her own. */
export type Seer = Pick<Actor, 'can'> & { id: number | null }

/** What it depends on which things a person may see, besides her own cases. */
export const seeing: readonly Permission[] = [...seesRegisters, 'students.view', 'cases.view']

/**
 * SQL: the things of a kind that a person may see, as the portal's own lists have them, with what they are searched and sorted
 * by there; null for none of them.
 */
export const seen: Record<Referenced, (actor: Seer) => RawBuilder<unknown> | null> = {
  school: (actor) =>
    seesRegisters.some((permission) => actor.can(permission))
      ? sql`select id, admin_code as code, name, (select name from caps where id = cap_id) as place,
          search, name as sorted from schools`
      : null,
  student: (actor) =>
    actor.can('students.view')
      ? sql`select s.id, s.student_code as code, concat_ws(' ', u.first_name, u.last_name) as name,
          (select name from schools where id = s.school_id) as place, s.search, s.person as sorted
          from students s join users u on u.id = s.user_id`
      : null,
  // Whoever lacks `cases.view` sees the cases that they filed or review (Cases 2.1).
  case: (actor) => sql`select c.id, c.number as code, c.title as name, null as place, c.search,
    c.title as sorted from cases c
    where ${actor.can('cases.view')} or ${actor.id}::bigint in (c.user_id, c.assigned_id)`,
}
/** SQL: all of them, for a server: its token decides, and it is told no names. */
const all: Record<Referenced, RawBuilder<unknown>> = {
  school: sql`select id, '' as code, '' as name from schools`,
  student: sql`select id, '' as code, '' as name from students`,
  case: sql`select id, '' as code, '' as name from cases`,
}

const referencesOf = ({ fields = [] }: Declared) =>
  fields.flatMap(({ name, to, label }) => (to ? [{ name, to, label }] : []))

/** Things of each kind by their ids. */
async function readThings(
  db: Reader,
  of: (to: Referenced) => RawBuilder<unknown> | null,
  asked: Map<Referenced, Set<number>>,
) {
  const found = new Map<string, Named>()
  for (const [to, ids] of asked) {
    const from = ids.size ? of(to) : null
    if (!from) continue
    const things =
      await sql<Named>`select id, code, name from (${from}) t where t.id = any(${[...ids]}::bigint[])`.execute(
        db,
      )
    for (const thing of things.rows) found.set(`${to} ${thing.id}`, thing)
  }
  return found
}

/** Ids of things that a person may see, by their codes. */
export async function readByCodes(
  db: Reader,
  actor: Seer,
  to: Referenced,
  codes: readonly string[],
): Promise<Map<string, number>> {
  const from = codes.length ? seen[to](actor) : null
  if (!from) return new Map()
  const things =
    await sql<Named>`select id, code, name from (${from}) t where t.code = any(${codes}::text[])`.execute(db)
  return new Map(things.rows.map(({ code, id }) => [code, id]))
}

const idsIn = (declared: Declared, data: readonly Data[]) => {
  const asked = new Map<Referenced, Set<number>>()
  for (const { name, to } of referencesOf(declared)) {
    const ids = asked.get(to) ?? new Set<number>()
    for (const one of data) if (typeof one[name] === 'number') ids.add(one[name])
    asked.set(to, ids)
  }
  return asked
}

/** Records with what they refer to: code and name for whoever may see the thing, null for others and for what is gone. */
export async function withReferences<Row extends { data: Data }>(
  db: Reader,
  actor: Seer | null,
  declared: Declared,
  records: readonly Row[],
): Promise<(Row & Required<Pick<ModuleRecord, 'references'>>)[]> {
  const fields = referencesOf(declared)
  const data = records.map((record) => record.data)
  const things = actor
    ? await readThings(db, (to) => seen[to](actor), idsIn(declared, data))
    : new Map<string, Named>()
  return records.map((record) => {
    const given = fields.filter(({ name }) => typeof record.data[name] === 'number')
    const references = given.map(({ name, to }) => {
      const thing = things.get(`${to} ${record.data[name]}`)
      return [name, thing ? { code: thing.code, name: thing.name } : null] as const
    })
    return { ...record, references: Object.fromEntries(references) }
  })
}

/**
 * Throws 422 for each reference to something that does not exist, or that this person may not see. What a record had before
 * is not asked about again, so that whoever may not see it can still change the rest.
 */
export async function checkReferences(
  db: Reader,
  actor: Actor | null,
  declared: Declared,
  data: Data,
  before: Data = {},
): Promise<void> {
  const fields = referencesOf(declared).filter(
    ({ name }) => typeof data[name] === 'number' && data[name] !== before[name],
  )
  if (fields.length === 0) return
  const of = (to: Referenced) => (actor ? seen[to](actor) : all[to])
  const things = await readThings(db, of, idsIn(declared, [data]))
  const missing = fields.filter(({ name, to }) => !things.has(`${to} ${data[name]}`))
  if (missing.length === 0) return
  throw invalid(
    Object.fromEntries(
      missing.map(({ name, to, label }) => [`data.${name}`, say.referenceUnknown(label, to)]),
    ),
  )
}
