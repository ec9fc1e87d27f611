import type { QueryOf } from '@portal/contracts/endpoint'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { foldedAsSearched as folded, nearest } from '@portal/contracts/imports/nearest'
import type {
  Boundary,
  geography as calls,
  Location,
  LocationEdit,
} from '@portal/contracts/registers/geography'
import { type RawBuilder, sql } from 'kysely'
import { audit, difference } from '../kit/audit/audit.ts'
import { type Db, type Reader, rows, type Tx, transaction } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import { versionMark } from '../kit/database/versions.ts'
import { invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { lockVersion } from './edit.service.ts'
import { text } from './messages.ts'

const places = sql`arrondissements l join communes m on m.id = l.commune_id join cercles c on c.id = m.cercle_id
  join regions g on g.id = c.region_id`
const location = sql`l.id, l.name, jsonb_build_object('name', m.name, 'cercle', jsonb_build_object('name', c.name,
  'region', jsonb_build_object('name', g.name))) as commune, l.version`
const words = sql`l.search || ' ' || portal_search(m.name || ' ' || c.name || ' ' || g.name)`
const french = (expression: RawBuilder<unknown>) => sql`${expression} collate "fr-x-icu"`

/** Arrondissements with their commune, cercle and region, sorted by name by default. */
export async function listLocations(db: Db, query: QueryOf<typeof calls.locations>) {
  const list = await paged<Location>(db, query, {
    columns: location,
    from: places,
    where: [
      matches(words, query.search),
      query.region && sql`c.region_id = ${query.region}`,
      query.cercle && sql`m.cercle_id = ${query.cercle}`,
    ],
    sort: {
      name: french(sql`l.name`),
      commune: french(sql`m.name`),
      cercle: french(sql`c.name`),
      region: french(sql`g.name`),
    },
    order: 'name',
    key: sql`l.id`,
    total: 'arrondissements',
  })
  return { locations: list }
}

/** The first twenty places that match a search, for a select. */
export async function findPlaces(db: Db, search: string): Promise<{ places: Location[] }> {
  const condition = matches(words, search)
  return {
    places: await rows(
      db,
      sql<Location>`select ${location} from ${places} ${condition ? sql`where ${condition}` : sql``}
        order by ${french(sql`l.name`)}, l.id limit 20`,
    ),
  }
}

/** CAPs and IEFs with their academy and region. The portal only lists them. */
export async function listBoundaries(db: Db, query: QueryOf<typeof calls.boundaries>) {
  const list = await paged<Boundary>(db, query, {
    columns: sql`p.id, p.name, p.active, jsonb_build_object('name', a.name, 'location', jsonb_build_object('name', g.name)) as academy`,
    from: sql`caps p join academies a on a.id = p.academy_id join regions g on g.id = a.region_id`,
    where: [
      matches(sql`portal_search(p.name || ' ' || a.name || ' ' || g.name)`, query.search),
      query.region && sql`a.region_id = ${query.region}`,
      query.academy && sql`p.academy_id = ${query.academy}`,
      query.active && sql`p.active = ${query.active === 'true'}`,
    ],
    sort: {
      name: french(sql`p.name`),
      academy: french(sql`a.name`),
      region: french(sql`g.name`),
      active: sql`p.active`,
    },
    order: 'name',
    key: sql`p.id`,
    total: 'caps',
  })
  return { locations: list }
}

type Stored = {
  id: number
  arrondissement: string
  commune: string
  cercle: string
  region: string
  commune_id: number
}

/** Renames an arrondissement or moves it to another commune. A commune that does not exist is created. */
export function updateLocation(db: Db, actor: Actor, id: number, edit: LocationEdit): Promise<Location> {
  return transaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('import locations'))`.execute(tx)
    const stored = await lockVersion<Stored>(
      tx,
      sql`select l.id, l.name as arrondissement, m.name as commune, c.name as cercle, g.name as region, l.commune_id, l.version
        from ${places} where l.id = ${id} for update of l`,
      edit.version,
    )
    const { version: _, ...names } = edit
    const { commune_id, cercle_id, ...place } = await placeOf(tx, names)
    const changes = difference(stored, { ...place, arrondissement: names.arrondissement })
    if (Object.keys(changes.new).length > 0) {
      const commune = commune_id ?? (await makeCommune(tx, cercle_id, place.commune))
      await expectFree(tx, id, commune, names.arrondissement)
      await sql`
        update arrondissements set name = ${names.arrondissement}, commune_id = ${commune}, version = version + 1 where id = ${id}
      `.execute(tx)
      // A commune without arrondissements is deleted, because it was mostly a misspelling that this edit corrects.
      await sql`
        delete from communes m where m.id = ${stored.commune_id} and not exists (select from arrondissements where commune_id = m.id)
      `.execute(tx)
      await audit(tx, actor, 'updated', 'location', id, {
        old: changes.old,
        new: { ...changes.new, ...versionMark(edit.version) },
      })
    }
    return readLocation(tx, id)
  })
}

/** Reads one location, or throws 404. */
export async function readLocation(db: Reader, id: number): Promise<Location> {
  const { rows: found } = await sql<Location>`
    select ${location} from ${places} where l.id = ${id}`.execute(db)
  if (!found[0]) throw notFound()
  return found[0]
}

type Place = { region: string; cercle: string; commune: string }

/**
 * Finds the place with these names, as it is stored. Accents, case and signs are ignored, as in imports, so that one place has one
 * spelling. Region and cercle must exist; `commune_id` is null if the commune does not.
 */
async function placeOf(
  tx: Tx,
  names: Place,
): Promise<Place & { cercle_id: number; commune_id: number | null }> {
  const { rows: regions } = await sql<{ id: number; name: string }>`
    select id, name from regions order by id`.execute(tx)
  const alike = regions.filter(({ name }) => folded(name) === folded(names.region))
  if (alike.length === 0) throw invalid({ region: unknown('region', names.region, regions) })
  const { rows: cercles } = await sql<{ id: number; name: string; region_id: number }>`
    select id, name, region_id from cercles where region_id = any(${alike.map(({ id }) => id)}::bigint[]) order by id
  `.execute(tx)
  const cercle = sameName(cercles, names.cercle)
  if (!cercle) throw invalid({ cercle: unknown('cercle', names.cercle, cercles) })
  const { rows: communes } = await sql<{ id: number; name: string }>`
    select id, name from communes where cercle_id = ${cercle.id} order by id`.execute(tx)
  const commune = sameName(communes, names.commune)
  const region = alike.find(({ id }) => id === cercle.region_id)?.name ?? names.region
  return {
    ...{ region, cercle: cercle.name, cercle_id: cercle.id },
    ...{ commune: commune?.name ?? names.commune, commune_id: commune?.id ?? null },
  }
}

/** The one that is written so, or else the oldest that differs only by accents, case or signs. */
const sameName = <Named extends { name: string }>(known: Named[], wanted: string) =>
  known.find(({ name }) => name === wanted) ?? known.find(({ name }) => folded(name) === folded(wanted))

async function makeCommune(tx: Tx, cercleId: number, commune: string): Promise<number> {
  const { rows: made } = await sql<{ id: number }>`
    insert into communes (cercle_id, name) values (${cercleId}, ${commune}) returning id`.execute(tx)
  return made[0]?.id ?? 0
}

/** Refuses the name of another arrondissement of the commune. */
async function expectFree(tx: Tx, id: number, communeId: number, name: string): Promise<void> {
  const { rows: others } = await sql<{ name: string }>`
    select name from arrondissements where commune_id = ${communeId} and id <> ${id}`.execute(tx)
  if (others.some((other) => folded(other.name) === folded(name)))
    throw invalid({ arrondissement: text.locationTaken })
}

function unknown(kind: 'region' | 'cercle', name: string, known: { name: string }[]) {
  const near = nearest(
    name,
    known.map((place) => place.name),
  )
  if (kind === 'region')
    return near ? sentence('region_unknown_near', name, near) : sentence('region_unknown', name)
  return near ? sentence('cercle_near', name, near) : sentence('cercle_unknown', name)
}
