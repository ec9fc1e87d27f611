import { sentence } from '@portal/contracts/imports/import-sentences'
import { teachersSheet } from '@portal/contracts/registers/teachers.sheet'
import { type RawBuilder, sql } from 'kysely'
import { of } from '../imports/import-parts.service.ts'
import type { CheckedRow, Fault } from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/database/db.ts'

/** What a person has once, in whatever registers she is. */
const personal = ['first_name', 'last_name', 'gender'] as const
type Personal = (typeof personal)[number]
type Person = Record<Personal, string | null> & { account: boolean }

/** The people with these e-mails. */
export async function readPeople(db: Reader, emails: string[]): Promise<Map<string, Person>> {
  const { rows } = await sql<Person & { email: string }>`
    select email, account, first_name, last_name, gender from users where email = any(${emails}::text[])`.execute(
    db,
  )
  return new Map(rows.map((person) => [person.email, person]))
}

/** What the file has said of people so far. */
export type Said = {
  /** The first row that says something of a person, by e-mail and column. */
  first: Map<string, { row: number; value: string }>
  /** What rows that the register has say of their people, whom they may rename. A new row of the same file then has the new name. */
  renamed: Set<string>
  /** New rows that were refused for a new name: a later row that the register has may say the same. */
  refused: Map<string, number[]>
  /** Those of them for which one did. They are checked again once the whole file was read, so that the order of rows does not matter. */
  again: Set<number>
}
export const nothingSaid = (): Said => ({
  first: new Map(),
  renamed: new Set(),
  refused: new Map(),
  again: new Set(),
})

/** A row with what it says of its person. `isStored` if the register has this row already. */
type Saying = { row: CheckedRow; isStored: boolean }

/**
 * Refuses rows that give a person another name than an earlier row of the file does, or a new row than the portal has. Each upload
 * of such a file would rename her (Imports 2.1). People with an account keep their names anyway (Registers 3.3).
 */
export function checkPeople(rows: Saying[], people: Map<string, Person>, said: Said): void {
  const { first, renamed } = said
  for (const { row, isStored } of rows) if (isStored) noteNames(row, said)
  for (const { row, isStored } of rows) {
    const person = people.get(row.values.email ?? '')
    if (person?.account) continue
    const fault = conflictOf(row, first) ?? (isStored ? undefined : otherThanKnown(row, person, renamed))
    if (fault) {
      row.errors.push(fault)
      if (!isStored) noteRefused(row, said)
    }
    // A review checks corrected rows first and all rows of the person after them, so an earlier row may come later.
    else
      for (const { key, value } of saidBy(row))
        if (row.row <= (first.get(key)?.row ?? row.row)) first.set(key, { row: row.row, value })
  }
}

/** Notes what a row that the register has says of its person, and which refused rows said it before. */
function noteNames(row: CheckedRow, { renamed, refused, again }: Said) {
  for (const { keyAndValue } of saidBy(row)) {
    renamed.add(keyAndValue)
    for (const earlier of refused.get(keyAndValue) ?? []) again.add(earlier)
    refused.delete(keyAndValue)
  }
}

function noteRefused(row: CheckedRow, { renamed, refused }: Said) {
  for (const { keyAndValue } of saidBy(row))
    if (!renamed.has(keyAndValue)) refused.set(keyAndValue, [...(refused.get(keyAndValue) ?? []), row.row])
}

/** What a row says of its person. `key` is the same in all rows about one column of her, `keyAndValue` in those that agree. */
const saidBy = ({ values }: CheckedRow) =>
  personal.flatMap((column) => {
    const value = values[column]
    const key = `${values.email} ${column}`
    return values.email && value ? [{ column, value, key, keyAndValue: `${key} ${value}` }] : []
  })

function conflictOf(row: CheckedRow, first: Said['first']): Fault | undefined {
  for (const { column, value, key } of saidBy(row)) {
    const other = first.get(key)
    if (other && other.row < row.row && other.value !== value)
      return { column, value, message: sentence('person_conflict', other.row, ...labelOf(column)) }
  }
  return undefined
}

function otherThanKnown(
  row: CheckedRow,
  person: Person | undefined,
  renamed: Set<string>,
): Fault | undefined {
  const differing = saidBy(row).find(
    ({ column, value, keyAndValue }) =>
      person?.[column] && person[column] !== value && !renamed.has(keyAndValue),
  )
  return person && differing && knownFault(person, differing.column, differing.value)
}

/** The e-mail of the row belongs to `person`, who has another value in this column. */
const knownFault = (
  person: Pick<Person, 'first_name' | 'last_name'>,
  column: Personal,
  value: string,
): Fault => ({
  column,
  value,
  message: sentence('person_known', `${person.first_name} ${person.last_name}`, ...labelOf(column)),
})

function labelOf(column: Personal): [string, string] {
  const { en, fr } = teachersSheet.columns[column].label
  return [en, fr]
}

/**
 * New rows whose e-mail belongs by now to somebody with another name. A changed row of the same person, in `table`, may rename her.
 */
export async function strangersByNow(
  tx: Tx,
  importId: number,
  table: RawBuilder<unknown>,
): Promise<Map<number, Fault>> {
  type Stranger = Pick<Person, 'first_name' | 'last_name'> & { row: number; column: Personal; value: string }
  const { rows } = await sql<Stranger>`
    select distinct on (p."row") p."row", u.first_name, u.last_name, c."column", c.value
    from import_rows p join users u on u.email = ${of('email')} and not u.account
      cross join lateral (values (1, 'first_name', ${of('first_name')}, u.first_name), (2, 'last_name', ${of('last_name')}, u.last_name),
        (3, 'gender', ${of('gender')}, u.gender)) c (n, "column", value, known)
    where p.import_id = ${importId} and p.kind = 'new' and c.value <> c.known and not exists (
      select from import_rows o join ${table} r on r.id = o.subject_id
      where o.import_id = p.import_id and o.kind = 'changed' and r.user_id = u.id)
    order by p."row", c.n`.execute(tx)
  return new Map(rows.map(({ row, column, value, ...person }) => [row, knownFault(person, column, value)]))
}

/** The keys of other rows of the file with the e-mails of rows with these keys. */
export async function rowsOfPeople(db: Reader, importId: number, keys: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    with emails as (
      select substr(k, strpos(k, '/') + 1) as email from unnest(${keys}::text[]) k
      union select lower(trim(cells->>'email')) from import_rows where import_id = ${importId} and key = any(${keys}::text[])
    )
    select distinct key from import_rows
    where import_id = ${importId} and key is not null and lower(trim(cells->>'email')) in (select email from emails)`.execute(
    db,
  )
  return rows.map(({ key }) => key)
}
