import type { Country } from '@portal/contracts/fields'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { folded, nearest } from '@portal/contracts/imports/nearest'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../kit/database/db.ts'

/**
 * Finds the nearest known name. Each text is searched once and at most 200 are searched, because a file full of
 * mistakes would otherwise keep the worker busy.
 */
export class Hints {
  readonly #known = new Map<string, string | undefined>()

  near(text: string, candidates: Iterable<string>): string | undefined {
    if (!this.#known.has(text))
      this.#known.set(text, this.#known.size < 200 ? nearest(text, candidates) : undefined)
    return this.#known.get(text)
  }
}

export type KnownSchool = { id: number; admin_code: string; country: Country }

/** Reads every school, by its code. */
export async function readSchools(db: Reader): Promise<Map<string, KnownSchool>> {
  const { rows } = await sql<KnownSchool>`
    select s.id, s.admin_code, g.country from schools s join caps c on c.id = s.cap_id join academies a on a.id = c.academy_id
    join regions g on g.id = a.region_id`.execute(db)
  return new Map(rows.map((school) => [school.admin_code, school]))
}

/** SQL: the country of a school with this id. */
export const countryOf = (
  school: RawBuilder<unknown>,
) => sql`(select g.country from schools n join caps c on c.id = n.cap_id
  join academies a on a.id = c.academy_id join regions g on g.id = a.region_id where n.id = ${school})`

export type KnownClass = { id: number; name: string }

/** Reads the classes of every school, by folded name. */
export async function readClasses(db: Reader): Promise<Map<number, Map<string, KnownClass>>> {
  const { rows } = await sql<KnownClass & { school_id: number }>`
    select id, school_id, name from classes order by id`.execute(db)
  const classes = new Map<number, Map<string, KnownClass>>()
  for (const { school_id, ...one } of rows) {
    const own = classes.get(school_id) ?? new Map<string, KnownClass>()
    classes.set(school_id, own.set(folded(one.name), one))
  }
  return classes
}

type Value = { code: string; en: string; fr: string; country: Country | null }

/** A closed list of the portal. It finds values by their code and by their name in either language. */
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

  /** Finds the code of a text. The country decides if both countries use the same word. */
  find(text: string, country?: Country): string | undefined {
    const word = folded(text)
    for (const one of country ? [country] : (['ml', 'sn'] as const)) {
      const code = this.#words.get(`${one} ${word}`)
      if (code !== undefined) return code
    }
    return undefined
  }

  /** The country of a code; null if both have it. Undefined if it is not in the list. */
  countryOf(code: string): Country | null | undefined {
    return this.#values.find((value) => value.code === code)?.country
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

/** Reads the active values of a closed list. */
export async function readListed(db: Reader, list: string): Promise<Listed> {
  const { rows } = await sql<Value>`
    select code, en, fr, country from reference_values where list = ${list} and active order by position, id
  `.execute(db)
  return new Listed(rows)
}

/**
 * Finds the code of a class level. `7e année`, `7ème` and `Year 7` are level 7 in Mali; Senegal's levels have names.
 */
export function findLevel(levels: Listed, text: string, country: Country): string | undefined {
  const found = levels.find(text, country)
  if (found !== undefined || country !== 'ml') return found
  const year =
    /^(?:year|niveau|annee|grade|classe)?(\d{1,2})(?:re|er|e|eme|ere|st|nd|rd|th)?(?:annee)?$/.exec(
      folded(text),
    )?.[1]
  return year && levels.find(String(Number(year)), country)
}

/** The error for a level that is not one of the country of its school: it is of the other country, or not known. */
export function levelFault(levels: Listed, text: string, country: Country | undefined): string {
  const other = country === 'ml' ? 'sn' : 'ml'
  // Only as it is written there: `6ème` in Senegal means 6E, and not year 6 of Mali.
  if (country && levels.find(text, other) !== undefined)
    return sentence(other === 'ml' ? 'level_of_mali' : 'level_of_senegal', text)
  const near = levels.near(text, country)
  return near ? sentence('level_unknown_near', text, near) : sentence('level_unknown', text)
}
