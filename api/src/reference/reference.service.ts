import type { Country } from '@portal/contracts/fields'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { listedValues } from './lists.seed.ts'
import { readPlaces, readSchoolDistricts, renamedCercles, type SchoolDistrict } from './places.ts'

/** The number of new or changed rows by table. All are zero when the same lists are loaded again. */
export type Loaded = Record<
  'regions' | 'cercles' | 'communes' | 'arrondissements' | 'academies' | 'caps' | 'values',
  number
>

/**
 * Loads the reference lists of a country (Registers 4.1). It adds rows and updates labels but removes nothing. It is
 * idempotent.
 */
export function loadReference(db: Db, country: Country): Promise<Loaded> {
  const { cercles, places } = readPlaces(country)
  const districts = readSchoolDistricts(country)
  return transaction(db, async (tx) => {
    const values = await loadValues(tx, country)
    const regions = await added(
      tx,
      sql`
      insert into regions (country, name) select distinct ${country}, r.region
      from ${table([...cercles, ...districts], 'region')} order by r.region
      on conflict do nothing`,
    )
    const inCercle = sql`join regions g on g.country = ${country} and g.name = r.region`
    const renamed = await renameCercles(tx, country)
    const newCercles = await added(
      tx,
      sql`
      insert into cercles (region_id, name) select g.id, r.cercle
      from ${table(cercles, 'region', 'cercle')} ${inCercle} order by r.at
      on conflict do nothing`,
    )
    const inCommune = sql`${inCercle} join cercles c on c.region_id = g.id and c.name = r.cercle`
    const communes = await added(
      tx,
      sql`
      insert into communes (cercle_id, name) select c.id, r.commune
      from ${table(places, 'region', 'cercle', 'commune')} ${inCommune} order by r.at
      on conflict do nothing`,
    )
    const arrondissements = await added(
      tx,
      sql`
      insert into arrondissements (commune_id, name) select m.id, r.arrondissement
      from ${table(places, 'region', 'cercle', 'commune', 'arrondissement')} ${inCommune}
      join communes m on m.cercle_id = c.id and m.name = r.commune order by r.at
      on conflict do nothing`,
    )
    const boundaries = await loadDistricts(tx, country, districts)
    return { regions, cercles: renamed + newCercles, communes, arrondissements, ...boundaries, values }
  })
}

/** Loads the boundaries of a file: CAPs or IEFs with their AE or IA and region. Missing regions are created. */
export function loadBoundaries(
  db: Db,
  country: Country,
  districts: Omit<SchoolDistrict, 'cercle'>[],
): Promise<Pick<Loaded, 'regions' | 'academies' | 'caps'>> {
  return transaction(db, async (tx) => {
    const regions = await added(
      tx,
      sql`
      insert into regions (country, name) select distinct ${country}, r.region from ${table(districts, 'region')}
      on conflict do nothing`,
    )
    return { regions, ...(await loadDistricts(tx, country, districts)) }
  })
}

/** Gives cercles their present names, except where a file has brought in one of that name since. */
function renameCercles(tx: Tx, country: Country) {
  return added(
    tx,
    sql`
    update cercles c set name = r.cercle
    from ${table(renamedCercles[country], 'region', 'before', 'cercle')}
    join regions g on g.country = ${country} and g.name = r.region
    where c.region_id = g.id and c.name = r.before
      and not exists (select from cercles k where k.region_id = g.id and k.name = r.cercle)`,
  )
}

async function loadDistricts(tx: Tx, country: Country, districts: Omit<SchoolDistrict, 'cercle'>[]) {
  const inRegion = sql`join regions g on g.country = ${country} and g.name = r.region`
  const academies = await added(
    tx,
    sql`
    insert into academies (region_id, name) select g.id, r.academy
    from ${table(districts, 'region', 'academy')} ${inRegion} order by r.at
    on conflict do nothing`,
  )
  // An existing CAP is not updated, so that a CAP which was made inactive stays so.
  const caps = await added(
    tx,
    sql`
    insert into caps (academy_id, name) select a.id, r.cap
    from ${table(districts, 'region', 'academy', 'cap')} ${inRegion}
    join academies a on a.region_id = g.id and a.name = r.academy order by r.at
    on conflict do nothing`,
  )
  return { academies, caps }
}

async function loadValues(tx: Tx, country: Country): Promise<number> {
  const values = listedValues(country)
  return added(
    tx,
    sql`
    insert into reference_values (list, code, en, fr, country, position)
    select r.list, r.code, r.en, r.fr, r.country, r.position::int
    from ${table(values, 'list', 'code', 'en', 'fr', 'country', 'position')} order by r.at
    on conflict (list, code) do update set en = excluded.en, fr = excluded.fr
    where (reference_values.en, reference_values.fr) is distinct from (excluded.en, excluded.fr)`,
  )
}

/** Rows as a table `r` of text columns, with their position as `at`. */
function table<Row>(rows: readonly Row[], ...columns: (keyof Row & string)[]): RawBuilder<unknown> {
  const arrays = columns.map((column) => sql`${rows.map((row) => row[column] ?? null)}::text[]`)
  const names = sql.raw([...columns, 'at'].map((name) => `"${name}"`).join(', '))
  return sql`unnest(${sql.join(arrays, sql`, `)}) with ordinality as r (${names})`
}

async function added(tx: Tx, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(tx)).numAffectedRows)
}
