import type { Country } from '@portal/contracts/fields'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { distanceOf, foldedAsSearched as folded } from '@portal/contracts/imports/nearest'
import type { SheetRow } from '@portal/contracts/imports/sheet'
import { locationsSheet } from '@portal/contracts/registers/locations.sheet'
import { placeName } from '@portal/contracts/registers/place-names'
import { type RawBuilder, sql } from 'kysely'
import { locked, of, readStored } from '../imports/import-parts.service.ts'
import { readRow } from '../imports/import-sort.service.ts'
import type { CheckedRow, ImportDomain } from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/database/db.ts'
import { Hints } from './lookups.ts'

type Region = { id: number; name: string; country: Country }
type Cercle = { id: number; name: string; region_id: number; country: Country }
type Known = {
  regions: Region[]
  cercles: Cercle[]
  /** The spelling of a commune, by cercle and folded name: the stored one, else the first of the file. */
  communes: Map<string, string>
  /** The first spelling in the file of a new cercle, by region and folded name. */
  newCercles: Map<string, string>
  hints: Hints
}

/** The import of locations. Regions must exist; missing cercles and communes are created (Registers 4.2). */
export const locationsImport: ImportDomain = {
  kind: 'locations',
  permission: 'locations.import',
  sheet: async () => locationsSheet,
  async open({ db }) {
    const known = await readKnown(db)
    return {
      sheet: locationsSheet,
      check: async (_, rows) => rows.map((row) => checkRow(known, row)),
      stored: (reader, keys, lock) => readStored(reader, storedLocations(keys, lock)),
      // All four names are the key, so a row that exists already has nothing to change.
      settle: () => ({}),
      insert,
    }
  },
}

async function readKnown(db: Reader): Promise<Known> {
  const { rows: regions } = await sql<Region>`
    select id, name, country from regions order by country, id`.execute(db)
  const { rows: cercles } = await sql<Cercle>`
    select c.id, c.name, c.region_id, g.country from cercles c join regions g on g.id = c.region_id order by c.id
  `.execute(db)
  const { rows: communes } = await sql<{ cercle_id: number; name: string }>`
    select cercle_id, name from communes order by id desc`.execute(db)
  const stored = new Map(communes.map(({ cercle_id, name }) => [`${cercle_id} ${folded(name)}`, name]))
  return { regions, cercles, communes: stored, newCercles: new Map(), hints: new Hints() }
}

const plain = (text: string | null) => placeName(text ?? '')

function checkRow(known: Known, row: SheetRow): CheckedRow {
  const checked = readRow(locationsSheet, row, 'commune')
  const { values, errors, rest } = checked
  if (errors.length > 0) return checked
  const { region = null, cercle = null, commune = null } = values
  // An arrondissement without a name gets the name of its commune.
  values.arrondissement ??= commune
  const fault = (column: string, message: string) => {
    errors.push({ column, value: values[column] ?? null, message })
    return checked
  }
  const regions = known.regions.filter(({ name }) => folded(name) === folded(region ?? ''))
  const [first] = regions
  if (!first) {
    const near = known.hints.near(
      region ?? '',
      known.regions.map(({ name }) => name),
    )
    const proposal = near
      ? sentence('region_unknown_near', region ?? '', near)
      : sentence('region_unknown', region ?? '')
    return fault('region', proposal)
  }
  const found = findCercle(known.cercles, regions, cercle ?? '')
  const twin = found ? undefined : nearTwin(known.cercles, regions, cercle ?? '')
  if (twin) return fault('cercle', sentence('cercle_near', cercle ?? '', twin))
  const newCercle = `${first.id} ${folded(plain(cercle))}`
  const names = {
    region: first.name,
    cercle: found?.name ?? spelling(known.newCercles, newCercle, plain(cercle)),
    commune: spelling(known.communes, `${found?.id ?? newCercle} ${folded(plain(commune))}`, plain(commune)),
    arrondissement: plain(values.arrondissement),
  }
  Object.assign(values, names)
  const region_id = found?.region_id ?? first.id
  Object.assign(rest, { cercle_id: found?.id ?? null, region_id })
  checked.key = [region_id, ...[names.cercle, names.commune, names.arrondissement].map(folded)].join('/')
  return checked
}

/** How a place is spelled already; of a new one its first spelling, so that one file makes no place twice. */
function spelling(spellings: Map<string, string>, place: string, name: string): string {
  const known = spellings.get(place)
  if (known === undefined) spellings.set(place, name)
  return known ?? name
}

/**
 * Finds a cercle in the region. Otherwise it takes the only cercle of this name in the country, because reforms divided
 * regions but kept the cercles.
 */
function findCercle(cercles: Cercle[], regions: Region[], name: string): Cercle | undefined {
  const alike = cercles.filter((cercle) => folded(cercle.name) === folded(name))
  const inRegion = alike.find((cercle) => regions.some(({ id }) => id === cercle.region_id))
  if (inRegion) return inRegion
  const inCountry = alike.filter((cercle) => regions.some(({ country }) => country === cercle.country))
  return inCountry.length === 1 ? inCountry[0] : undefined
}

/**
 * Finds a cercle of the region whose name differs in at most two letters, because that is more likely a misspelling
 * than a new cercle.
 */
function nearTwin(cercles: Cercle[], regions: Region[], name: string): string | undefined {
  if (folded(name).length < 5) return undefined
  return cercles.find(
    (cercle) =>
      regions.some(({ id }) => id === cercle.region_id) &&
      distanceOf(folded(cercle.name), folded(name), 3) <= 2,
  )?.name
}

const foldOf = (name: RawBuilder<unknown>) =>
  sql`regexp_replace(portal_search(${name}), '[^[:alnum:]]', '', 'g')`
const fold = (name: string) => foldOf(sql.raw(name))

const storedLocations = (keys: string[], lock: boolean) => sql`
  select * from (
    select l.id, c.region_id || '/' || ${fold('c.name')} || '/' || ${fold('m.name')} || '/' || ${fold('l.name')} as key,
      '{}'::jsonb as values
    from arrondissements l join communes m on m.id = l.commune_id join cercles c on c.id = m.cercle_id
      ${locked(lock, 'l')}) known
  where key = any(${keys}::text[])`

/** SQL: whether a stored place is spelled like a new one, apart from accents, case and signs. */
const alike = (stored: string, column: string) => sql`${fold(stored)} = ${foldOf(of(column))}`

/**
 * Another import may have made the cercle or commune of a row since it was read, in another spelling. Then the row goes to
 * that one, so that one place is made once.
 */
async function insert(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  const region = sql`(${of('region_id')})::bigint`
  await sql`
    insert into cercles (region_id, name) select distinct ${region}, ${of('cercle')} from ${part}
    where ${of('cercle_id')} is null
      and not exists (select from cercles k where k.region_id = ${region} and ${alike('k.name', 'cercle')})`.execute(
    tx,
  )
  const inCercle = sql`${part} cross join lateral (
    select k.id from cercles k where k.id = (${of('cercle_id')})::bigint
      or (${of('cercle_id')} is null and k.region_id = ${region} and ${alike('k.name', 'cercle')})
    order by k.name <> ${of('cercle')}, k.id limit 1) c`
  await sql`
    insert into communes (cercle_id, name) select distinct c.id, ${of('commune')} from ${inCercle}
    where not exists (select from communes k where k.cercle_id = c.id and ${alike('k.name', 'commune')})`.execute(
    tx,
  )
  await sql`
    insert into arrondissements (commune_id, name) select m.id, ${of('arrondissement')} from ${inCercle} cross join lateral (
      select k.id from communes k where k.cercle_id = c.id and ${alike('k.name', 'commune')}
      order by k.name <> ${of('commune')}, k.id limit 1) m
    order by p."row" on conflict do nothing`.execute(tx)
}
