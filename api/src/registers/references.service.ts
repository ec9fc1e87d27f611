import type { Country } from '@portal/contracts/fields'
import type { RegisterOptions } from '@portal/contracts/registers/geography'
import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import type { ReferenceValues } from '../kit/database/database.types.ts'
import { type Db, rows } from '../kit/database/db.ts'

type List = ReferenceValues['list']

/** Reads the active values of closed lists with their countries, in one language. */
async function readValues<Name extends List>(db: Db, locale: Locale, lists: readonly Name[]) {
  const found = await rows(
    db,
    sql<{ list: Name; id: number; code: string; name: string; country: Country | null }>`
      select list, id, code, case ${locale} when 'fr' then fr else en end as name, country from reference_values
      where list = any(${lists}) and active order by list, position, id`,
  )
  const grouped = Object.groupBy(found, ({ list }) => list)
  return (list: Name) => grouped[list] ?? []
}

/** Reads the active values of closed lists, in one language. */
export async function readReferences<Name extends List>(db: Db, locale: Locale, ...lists: Name[]) {
  const values = await readValues(db, locale, lists)
  return (list: Name) => values(list).map(({ id, name, code }) => ({ id, code, name }))
}

/** The options of the filters and selects of the registers. */
export async function readOptions(db: Db, locale: Locale): Promise<RegisterOptions> {
  const lists = ['school_type', 'partner_type', 'employment_type', 'class_level', 'language'] as const
  const [regions, cercles, academies, caps, values] = await Promise.all([
    rows(
      db,
      sql<RegisterOptions['regions'][number]>`select id, name, country from regions order by country, name`,
    ),
    rows(db, sql<RegisterOptions['cercles'][number]>`select id, name, region_id from cercles order by name`),
    rows(
      db,
      sql<RegisterOptions['academies'][number]>`select id, name, region_id from academies order by name`,
    ),
    rows(
      db,
      sql<RegisterOptions['caps'][number]>`select id, name, academy_id, active from caps order by name`,
    ),
    readValues(db, locale, lists),
  ])
  const listed = (list: (typeof lists)[number]) => values(list).map(({ code, name }) => ({ code, name }))
  return {
    regions,
    cercles,
    academies,
    caps,
    school_types: listed('school_type'),
    partner_types: listed('partner_type'),
    employment_types: listed('employment_type'),
    class_levels: values('class_level').map(({ code, name, country }) => ({ code, name, country })),
    languages: listed('language'),
  }
}
