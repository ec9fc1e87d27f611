import type { Fields } from '@portal/contracts/field'
import { severalText } from '@portal/contracts/imports/read-cell'
import type { ColumnKind } from '@portal/contracts/imports/sheet'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../kit/database/db.ts'
import type { Stored, TaskRow } from './import-kind.ts'

/** The staged rows of one category as table `p` (import_id, row, key, subject_id, entry). */
export const stagedPart = (
  task: TaskRow,
  category: 'new' | 'changed',
  from: number,
  to: number,
): RawBuilder<unknown> =>
  sql`(select import_id, "row", key, subject_id, entry from import_rows
    where import_id = ${task.id} and kind = ${category} and "row" > ${from} and "row" <= ${to}) p`
/** A value of a staged row as text. */
export const of = (name: string): RawBuilder<unknown> => sql`p.entry->>${sql.raw(`'${name}'`)}`
/** The staged value, or the stored one if the cell was blank. */
export const given = (name: string, type: string, stored: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce((${of(name)})::${sql.raw(type)}, ${stored})`

/** The PostgreSQL type to which the text of a staged cell is cast. */
const types: Record<ColumnKind, string> = {
  text: 'text',
  name: 'text',
  code: 'text',
  phone: 'text',
  email: 'text',
  year: 'text',
  whole: 'int',
  number: 'numeric',
  date: 'date',
  flag: 'boolean',
}

/**
 * Parts of SQL statements for those fields of a record that a sheet contains. `names`, `staged` and `kept` cover the
 * columns of the record's own table except the key: the names, the staged values for an insert, and the assignments for
 * an update. `values` also covers the key and the columns of the person `u`: the stored values as pairs for
 * `jsonb_build_object`.
 */
export function importedColumns(fields: Fields, alias: RawBuilder<unknown>) {
  const columns = Object.entries(fields).flatMap(([key, { stored, column, kind }]) => {
    if (!column || stored === 'other') return []
    const name = sql.id(key)
    const at = sql`${stored === 'own' ? alias : sql`u`}.${name}`
    return [{ name, key, type: types[kind], at, own: stored === 'own' && !column.key }]
  })
  const own = columns.filter((column) => column.own)
  const list = (some: typeof columns, part: (column: (typeof columns)[number]) => RawBuilder<unknown>) =>
    sql.join(some.map(part), sql`, `)
  return {
    names: list(own, ({ name }) => sql`${name}`),
    staged: list(own, ({ key, type }) => sql`(${of(key)})::${sql.raw(type)}`),
    kept: list(own, ({ name, key, type, at }) => sql`${name} = ${given(key, type, at)}`),
    values: list(columns, ({ key, at }) => sql`${sql.raw(`'${key}'`)}, ${at}::text`),
  }
}

type StoredRow = { key: string; id: number; values: Record<string, string | string[] | null> }

/** Reads stored rows by natural key. A list becomes one text in the order of its values, as a cell has it. */
export async function readStored(db: Reader, statement: RawBuilder<unknown>): Promise<Map<string, Stored>> {
  const { rows } = await statement.$castTo<StoredRow>().execute(db)
  return new Map(
    rows.map(({ key, id, values }) => {
      const texts = Object.entries(values).map(([name, value]) => [
        name,
        Array.isArray(value) ? severalText(value) : value,
      ])
      return [key, { id, values: Object.fromEntries(texts) as Stored['values'] }]
    }),
  )
}

/** Locks the register's own rows if an import is about to write them. */
export const locked = (lock: boolean, alias: string): RawBuilder<unknown> =>
  lock ? sql`for update of ${sql.id(alias)}` : sql``

/** Makes the function with which a register's import reads stored rows by natural key. */
export const storedBy =
  (
    key: RawBuilder<unknown>,
    { alias, values, tables }: { alias: string; values: RawBuilder<unknown>; tables: RawBuilder<unknown> },
  ) =>
  async (db: Reader, keys: string[], lock: boolean): Promise<Map<string, Stored>> => {
    const wanted = sql`from ${tables} where ${key} = any(${keys}::text[])`
    // First alone: a statement that waits for a row would read the person and the CAP beside it as they were before.
    if (lock) await sql`select ${wanted} ${locked(lock, alias)}`.execute(db)
    return readStored(db, sql`select ${key} as key, ${sql.id(alias)}.id, ${values} as values ${wanted}`)
  }
