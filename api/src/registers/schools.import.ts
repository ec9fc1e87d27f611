import { sentence } from '@portal/contracts/imports/import-sentences'
import { folded, foldedAsSearched } from '@portal/contracts/imports/nearest'
import { severalOf, severalText } from '@portal/contracts/imports/read-cell'
import type { SheetRow } from '@portal/contracts/imports/sheet'
import { schoolFields } from '@portal/contracts/registers/schools.fields'
import { schoolsSheet } from '@portal/contracts/registers/schools.sheet'
import { type RawBuilder, sql } from 'kysely'
import { importedColumns, of, storedBy } from '../imports/import-parts.service.ts'
import { readRow } from '../imports/import-sort.service.ts'
import type { CheckedRow, Fault, ImportDomain, Stored, TaskRow } from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/database/db.ts'
import { checkListed, fault } from './import-checks.ts'
import { Hints, type Listed, readListed } from './lookups.ts'

type Cap = { id: number; name: string; active: boolean; academy: string }
type Place = { id: number; name: string; commune: string; cercle: string }
type Known = {
  caps: Map<string, Cap[]>
  academies: string[]
  places: Map<string, Place[]>
  types: Listed
  hints: Record<'cap' | 'academy' | 'place', Hints>
}

/** The import of schools. Its key is the school code. CAPs and arrondissements must exist. */
export const schoolsImport: ImportDomain = {
  kind: 'schools',
  permission: 'schools.import',
  sheet: async () => schoolsSheet,
  async open({ db }, task) {
    const known = await readKnown(db)
    return {
      sheet: schoolsSheet,
      check: async (_, rows) => rows.map((row) => checkRow(known, row)),
      stored: storedBy(sql`s.admin_code`, { alias: 's', values: schoolValues, tables: schoolTables }),
      doubt: (values, stored) => refuseInactive(known, values, stored),
      settle: addClasses,
      insert: (tx, part) => insert(tx, task, part),
      update,
      link,
    }
  },
}

/** The tables and values of a school as the sheet has them. The export uses them too. */
export const schoolTables = sql`schools s join caps c on c.id = s.cap_id join academies a on a.id = c.academy_id
  left join arrondissements l on l.id = s.arrondissement_id left join communes m on m.id = l.commune_id
  left join cercles e on e.id = m.cercle_id`
const imported = importedColumns(schoolFields, sql`s`)
export const schoolValues = sql`jsonb_build_object(${imported.values}, 'admin_district_as_cap', c.name,
  'education_authority_as_ae', a.name, 'cercle', e.name, 'commune', m.name, 'arrondissement', l.name,
  'classes', (select jsonb_agg(k.name) from classes k where k.school_id = s.id))`

/** The name without its kind, so that `CAP KITA` is also found as `KITA`. */
const bare = (name: string) => foldedAsSearched(name.replace(/^\s*(?:CAP|IEF|AE|IA)\b\s*/i, ''))

async function readKnown(db: Reader): Promise<Known> {
  const { rows: caps } = await sql<Cap>`
    select c.id, c.name, c.active, a.name as academy from caps c join academies a on a.id = c.academy_id order by c.id
  `.execute(db)
  const { rows: academies } = await sql<{ name: string }>`select name from academies order by id`.execute(db)
  const { rows: places } = await sql<Place>`
    select l.id, l.name, m.name as commune, c.name as cercle from arrondissements l
    join communes m on m.id = l.commune_id join cercles c on c.id = m.cercle_id order by l.id`.execute(db)
  return {
    caps: Map.groupBy(caps, ({ name }) => bare(name)),
    academies: academies.map(({ name }) => name),
    places: Map.groupBy(places, ({ name }) => foldedAsSearched(name)),
    types: await readListed(db, 'school_type'),
    hints: { cap: new Hints(), academy: new Hints(), place: new Hints() },
  }
}

function checkRow(known: Known, row: SheetRow): CheckedRow {
  const checked = readRow(schoolsSheet, row, 'admin_code')
  checked.key = checked.values.admin_code ?? undefined
  checked.values.classes = spelledOnce(checked.values.classes)
  checkCap(known, checked)
  checkPlace(known, checked)
  checkListed(checked, 'type_of_school', known.types)
  return checked
}

/** The classes of a cell without further spellings of the same class, which would make a second one. */
function spelledOnce(classes: string | null | undefined): string | null {
  const spellings = Map.groupBy(severalOf(classes), folded).values()
  return severalText([...spellings].flatMap(([first]) => first ?? []))
}

function checkCap({ caps, academies, hints }: Known, checked: CheckedRow) {
  const { admin_district_as_cap: cap, education_authority_as_ae: academy } = checked.values
  if (!cap) {
    // The academy only distinguishes CAPs of the same name, so it is not stored itself.
    checked.values.education_authority_as_ae = null
    return
  }
  const alike = caps.get(bare(cap))
  const [first] = alike ?? []
  if (!alike || !first) {
    const near = hints.cap.near(
      cap,
      [...caps.values()].flat().flatMap(({ name, active }) => (active ? name : [])),
    )
    return fault(
      checked,
      'admin_district_as_cap',
      near ? sentence('cap_unknown_near', cap, near) : sentence('cap_unknown', cap),
    )
  }
  const found = academy
    ? alike.find((one) => bare(one.academy) === bare(academy))
    : alike.length === 1
      ? first
      : undefined
  if (found) {
    checked.rest.cap_id = found.id
    checked.values.admin_district_as_cap = found.name
    checked.values.education_authority_as_ae = found.academy
    return
  }
  if (!academy) return fault(checked, 'education_authority_as_ae', 'required')
  const known = academies.some((name) => bare(name) === bare(academy))
  if (known)
    return fault(
      checked,
      'education_authority_as_ae',
      sentence('cap_other_academy', first.name, first.academy, academy),
    )
  const near = hints.academy.near(academy, academies)
  fault(
    checked,
    'education_authority_as_ae',
    near ? sentence('academy_unknown_near', academy, near) : sentence('academy_unknown', academy),
  )
}

/** Refuses an inactive CAP, unless the school has it already. */
function refuseInactive(
  { caps }: Known,
  { admin_district_as_cap: cap, education_authority_as_ae: academy }: CheckedRow['values'],
  stored: Stored | undefined,
): Fault | null {
  const column = 'admin_district_as_cap'
  const kept = cap === stored?.values[column] && academy === stored?.values.education_authority_as_ae
  if (!cap || kept) return null
  const found = caps.get(bare(cap))?.find((one) => one.name === cap && one.academy === academy)
  return found?.active === false ? { column, value: cap, message: sentence('cap_inactive', cap) } : null
}

function checkPlace({ places, hints }: Known, checked: CheckedRow) {
  const { arrondissement, commune, cercle } = checked.values
  // Commune and cercle only distinguish arrondissements of the same name, so they are not stored themselves.
  Object.assign(checked.values, { commune: null, cercle: null })
  if (!arrondissement) return
  const alike = (places.get(foldedAsSearched(arrondissement)) ?? []).filter(
    (place) =>
      (!commune || foldedAsSearched(place.commune) === foldedAsSearched(commune)) &&
      (!cercle || foldedAsSearched(place.cercle) === foldedAsSearched(cercle)),
  )
  const [first, second] = alike
  if (first && !second) {
    checked.rest.arrondissement_id = first.id
    Object.assign(checked.values, {
      arrondissement: first.name,
      commune: first.commune,
      cercle: first.cercle,
    })
    return
  }
  if (first) return fault(checked, 'arrondissement', sentence('place_several', arrondissement))
  const near = hints.place.near(
    arrondissement,
    [...places.values()].flat().map(({ name }) => name),
  )
  const other = near && foldedAsSearched(near) !== foldedAsSearched(arrondissement) ? near : undefined
  fault(
    checked,
    'arrondissement',
    other ? sentence('place_unknown_near', arrondissement, other) : sentence('place_unknown', arrondissement),
  )
}

/** Adds classes and removes none, because the classes that a row does not name have students and teachers. */
function addClasses(values: CheckedRow['values'], stored: Stored): CheckedRow['values'] {
  if (!values.classes) return values
  const kept = severalOf(stored.values.classes)
  const known = new Set(kept.map(folded))
  return {
    ...values,
    classes: severalText([...kept, ...severalOf(values.classes).filter((name) => !known.has(folded(name)))]),
  }
}

const cap = sql`(${of('cap_id')})::bigint`
const place = sql`(${of('arrondissement_id')})::bigint`

async function insert(tx: Tx, task: TaskRow, part: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into schools (admin_code, cap_id, arrondissement_id, user_id, ${imported.names})
    select p.key, ${cap}, ${place}, ${task.user_id}, ${imported.staged} from ${part} order by p."row"
  `.execute(tx)
}

async function update(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  await sql`
    update schools s set cap_id = coalesce(${cap}, s.cap_id), arrondissement_id = coalesce(${place}, s.arrondissement_id),
      ${imported.kept}, version = s.version + 1
    from ${part} where s.id = p.subject_id`.execute(tx)
}

async function link(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into classes (school_id, name)
    select s.id, x.name from ${part} join schools s on s.admin_code = p.key
      cross join unnest(string_to_array(${of('classes')}, '; ')) x (name)
    where not exists (select from classes k where k.school_id = s.id
      and regexp_replace(portal_search(k.name), '[^[:alnum:]]', '', 'g') = regexp_replace(portal_search(x.name), '[^[:alnum:]]', '', 'g'))
    order by p."row" on conflict do nothing`.execute(tx)
}
