import { type RawBuilder, sql } from 'kysely'
import { audit, difference } from '../kit/audit/audit.ts'
import type { Reader, Tx } from '../kit/database/db.ts'
import { expectVersion, type SentVersion, versionMark } from '../kit/database/versions.ts'
import { constraintFault, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { text } from './messages.ts'

constraintFault('schools_admin_code_key', 'admin_code')
constraintFault('students_student_code_key', 'student_code')
constraintFault('parents_parent_assigned_id_key', 'parent_assigned_id')
constraintFault('arrondissements_key', 'arrondissement', text.locationTaken)

type Values = Record<string, unknown>

/**
 * Locks a row for a change. Throws 404 if it does not exist, and 409 if the caller sent another version than it has.
 */
export async function lockVersion<Row extends Values>(
  tx: Tx,
  row: RawBuilder<unknown>,
  version: SentVersion,
): Promise<Row & { version: number }> {
  const { rows } = await row.$castTo<Row & { version: number }>().execute(tx)
  const found = rows[0] as (Row & { version: number }) | undefined
  if (!found) throw notFound()
  expectVersion(found.version, version)
  return found
}

/**
 * Writes the fields that differ, increments the version and writes the audit row. An undefined field was not sent and
 * stays as it is. Returns false if nothing differs.
 */
export async function saveChanges(
  tx: Tx,
  actor: Actor,
  {
    table,
    person,
    subject,
    version,
  }: { table: string; person?: readonly string[]; subject: string; version: SentVersion },
  stored: Values & { id: number; user_id?: number },
  next: Values,
): Promise<boolean> {
  const given = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined))
  const changes = difference(stored, given)
  const names = Object.keys(changes.new)
  if (names.length === 0) return false
  const set = (columns: string[]) => columns.map((name) => sql`${sql.id(name)} = ${given[name] ?? null}`)
  const ofPerson = names.filter((name) => person?.includes(name))
  if (ofPerson.length > 0)
    await sql`
      update users set ${sql.join(set(ofPerson), sql`, `)}, updated_at = now() where id = ${stored.user_id}
    `.execute(tx)
  const own = set(names.filter((name) => !ofPerson.includes(name)))
  await sql`
    update ${sql.id(table)} set ${sql.join([...own, sql`version = version + 1`], sql`, `)} where id = ${stored.id}
  `.execute(tx)
  await audit(tx, actor, 'updated', subject, stored.id, {
    old: changes.old,
    new: { ...changes.new, ...versionMark(version) },
  })
  return true
}

/** Whether a closed list has an active value with this code. */
export async function isListed(db: Reader, list: string, code: string): Promise<boolean> {
  const { rows } = await sql`
    select from reference_values where list = ${list} and code = ${code} and active`.execute(db)
  return rows.length > 0
}
