import type { Fields } from '@portal/contracts/field'
import { folded, nearest } from '@portal/contracts/nearest'
import { severalText } from '@portal/contracts/read-cell'
import type { ColumnKind } from '@portal/contracts/sheet'
import { type SQL, sql } from 'drizzle-orm'
import type { Stored, TaskRow } from '../imports/imports.service.ts'
import type { Reader } from '../kit/db.ts'

/** Nearest known names, each asked once: a file of nothing but mistakes must not keep the worker busy. */
export class Hints {
  readonly #known = new Map<string, string | undefined>()

  near(text: string, candidates: Iterable<string>): string | undefined {
    if (!this.#known.has(text))
      this.#known.set(text, this.#known.size < 200 ? nearest(text, candidates) : undefined)
    return this.#known.get(text)
  }
}

export type Country = 'ml' | 'sn'
export type KnownSchool = { id: number; admin_code: string; country: Country }

/** Every school by its code. */
export async function readSchools(db: Reader): Promise<Map<string, KnownSchool>> {
  const { rows } = await db.execute<KnownSchool>(sql`
    select s.id, s.admin_code, g.country from schools s join caps c on c.id = s.cap_id join academies a on a.id = c.academy_id
    join regions g on g.id = a.region_id`)
  return new Map(rows.map((school) => [school.admin_code, school]))
}

export type KnownClass = { id: number; name: string }

/** The classes of every school, by folded name. */
export async function readClasses(db: Reader): Promise<Map<number, Map<string, KnownClass>>> {
  const { rows } = await db.execute<KnownClass & { school_id: number }>(
    sql`select id, school_id, name from classes order by id`,
  )
  const classes = new Map<number, Map<string, KnownClass>>()
  for (const { school_id, ...one } of rows) {
    const own = classes.get(school_id) ?? new Map<string, KnownClass>()
    classes.set(school_id, own.set(folded(one.name), one))
  }
  return classes
}

type Value = { code: string; en: string; fr: string; country: Country | null }

/** A closed list of the portal: what people write for a value, in either language, is understood. */
export class Listed {
  readonly #values: Value[]
  readonly #words = new Map<string, string>()
  readonly #hints = new Hints()

  constructor(values: Value[]) {
    this.#values = values
    for (const value of values)
      for (const word of [value.code, value.en, value.fr])
        for (const country of value.country ? [value.country] : (['ml', 'sn'] as const))
          if (!this.#words.has(`${country} ${folded(word)}`))
            this.#words.set(`${country} ${folded(word)}`, value.code)
  }

  /** The code of what is written; the country decides where both have a word. */
  find(text: string, country?: Country): string | undefined {
    const word = folded(text)
    for (const one of country ? [country] : (['ml', 'sn'] as const)) {
      const code = this.#words.get(`${one} ${word}`)
      if (code !== undefined) return code
    }
    return undefined
  }

  near(text: string, country?: Country): string | undefined {
    return this.#hints.near(text, this.codes(country))
  }

  codes(country?: Country): string[] {
    return this.#values
      .filter((value) => !country || !value.country || value.country === country)
      .map(({ code }) => code)
  }
}

/** A closed list as it is stored. */
export async function readListed(db: Reader, list: string): Promise<Listed> {
  const { rows } = await db.execute<Value>(
    sql`select code, en, fr, country from reference_values where list = ${list} and active order by position, id`,
  )
  return new Listed(rows)
}

/** `7e année`, `7ème` and `Year 7` are level 7 in Mali; Senegal's levels have names. */
export function findLevel(levels: Listed, text: string, country: Country): string | undefined {
  const found = levels.find(text, country)
  if (found !== undefined || country !== 'ml') return found
  const year =
    /^(?:year|niveau|annee|grade|classe)?(\d{1,2})(?:re|er|e|eme|ere|st|nd|rd|th)?(?:annee)?$/.exec(
      folded(text),
    )?.[1]
  return year && levels.find(String(Number(year)), country)
}

/** The staged rows of a pile as table `p` (row, key, subject_id, entry). */
export const stagedPart = (task: TaskRow, pile: 'new' | 'changed', from: number, to: number): SQL =>
  sql`(select "row", key, subject_id, entry from import_rows
    where import_id = ${task.id} and kind = ${pile} and "row" > ${from} and "row" <= ${to}) p`
/** A value of a staged row as text. */
export const of = (name: string): SQL => sql`p.entry->>${sql.raw(`'${name}'`)}`
/** What is stored, or the staged value where there is one. */
export const given = (name: string, type: string, stored: SQL): SQL =>
  sql`coalesce((${of(name)})::${sql.raw(type)}, ${stored})`

/** How a text of a staged row becomes what its column holds. */
const types: Record<ColumnKind, string> = {
  text: 'text',
  name: 'text',
  code: 'text',
  phone: 'text',
  email: 'text',
  year: 'text',
  whole: 'int',
  date: 'date',
  flag: 'boolean',
}

/**
 * What a sheet holds of a noun's own fields, its key apart, as parts of the statements of its import: the names, the staged
 * values of new rows, what changed rows keep or get, and what is stored, as pairs for `jsonb_build_object`.
 */
export function importedColumns(fields: Fields, alias: SQL) {
  const columns = Object.entries(fields).flatMap(([name, { stored, column, kind }]) =>
    stored === 'own' && column && !column.key
      ? [
          {
            name: sql.identifier(name),
            key: name,
            type: types[kind],
            at: sql`${alias}.${sql.identifier(name)}`,
          },
        ]
      : [],
  )
  const list = (part: (column: (typeof columns)[number]) => SQL) => sql.join(columns.map(part), sql`, `)
  return {
    names: list(({ name }) => sql`${name}`),
    staged: list(({ key, type }) => sql`(${of(key)})::${sql.raw(type)}`),
    kept: list(({ name, key, type, at }) => sql`${name} = ${given(key, type, at)}`),
    values: list(({ key, at }) => sql`${sql.raw(`'${key}'`)}, ${at}::text`),
  }
}

/** Columns of a table, as lists read them. */
export const columnsAt = (alias: SQL, names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql`${alias}.${sql.identifier(name)}`),
    sql`, `,
  )

type StoredRow = { key: string; id: number; values: Record<string, string | string[] | null> }

/** Reads what is stored under natural keys; lists become one text in their order. */
export async function readStored(db: Reader, statement: SQL): Promise<Map<string, Stored>> {
  const { rows } = await db.execute<StoredRow>(statement)
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

/** `for update of` the register's own rows, where an import is about to write. */
export const locked = (lock: boolean, alias: string): SQL =>
  lock ? sql`for update of ${sql.identifier(alias)}` : sql``
