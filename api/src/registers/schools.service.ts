import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { foldedAsSearched as folded, nearest } from '@portal/contracts/imports/nearest'
import type { schools as calls, School, SchoolEdit } from '@portal/contracts/registers'
import { schoolFields } from '@portal/contracts/registers/schools.fields'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Reader, rows, transaction } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import { forbidden, invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { isListed, lockVersion, saveChanges } from './edit.service.ts'
import { ownColumns } from './field-columns.ts'
import { countryOf } from './lookups.ts'
import { text } from './messages.ts'
import { listStudents } from './students.service.ts'
import { listTeachers } from './teachers.service.ts'

const from = sql`schools s join caps c on c.id = s.cap_id join academies a on a.id = c.academy_id`
const columns = sql`s.id, ${ownColumns(schoolFields, sql`s`)}, c.name as admin_district_as_cap, a.name as education_authority_as_ae,
  (select count(*) from teachers t where t.school_id = s.id) as teachers,
  (select count(*) from students t where t.school_id = s.id) as students,
  (select count(*) from classes t where t.school_id = s.id) as classes,
  jsonb_build_object('id', c.id, 'name', c.name, 'academy', jsonb_build_object('name', a.name)) as cap,
  (select jsonb_build_object('id', r.id, 'name', r.name) from arrondissements r where r.id = s.arrondissement_id)
    as arrondissement,
  coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name)
    from partner_schools ps join partners p on p.id = ps.partner_id where ps.school_id = s.id), '[]') as partners,
  s.created_at, s.version`

type Filters = Pick<
  QueryOf<typeof calls.list>,
  'search' | 'region' | 'cercle' | 'cap' | 'academy' | 'partner' | 'type'
> & { ids?: number[] | undefined }

/** The conditions of the list and of its export. They use the tables `schools s`, `caps c` and `academies a`. */
export const schoolFilter = (query: Filters) => [
  matches(sql`s.search`, query.search),
  query.ids && sql`s.id = any(${query.ids}::bigint[])`,
  query.cap && sql`s.cap_id = ${query.cap}`,
  query.academy && sql`c.academy_id = ${query.academy}`,
  query.region && sql`a.region_id = ${query.region}`,
  query.type && sql`s.type_of_school = ${query.type}`,
  query.cercle &&
    sql`s.arrondissement_id = any(array(select l.id from arrondissements l join communes m on m.id = l.commune_id
      where m.cercle_id = ${query.cercle}))`,
  query.partner &&
    sql`exists (select from partner_schools ps where ps.school_id = s.id and ps.partner_id = ${query.partner})`,
]

/** Schools, sorted by name by default. People are counted only for the schools of the page. */
export async function listSchools(db: Db, query: QueryOf<typeof calls.list>) {
  const list = await paged<School>(db, query, {
    columns,
    from,
    narrow: from,
    where: schoolFilter(query),
    sort: {
      name: sql`s.name collate "fr-x-icu"`,
      admin_code: sql`s.admin_code`,
      created_at: sql`s.created_at`,
      cap: sql`c.name collate "fr-x-icu"`,
      academy: sql`a.name collate "fr-x-icu"`,
    },
    order: 'name',
    key: sql`s.id`,
    total: 'schools',
  })
  return { schools: list }
}

/** Reads one school, or throws 404. */
export async function readSchool(db: Db, id: number): Promise<School> {
  const [school] = await rows(db, sql<School>`select ${columns} from ${from} where s.id = ${id}`)
  if (!school) throw notFound()
  return school
}

/** A school with a page of its teachers or students. */
export async function readPeople(db: Db, actor: Actor, id: number, query: QueryOf<typeof calls.people>) {
  const { type, ...page } = query
  if (!actor.can(type === 'teacher' ? 'teachers.view' : 'students.view')) throw forbidden()
  const school = await readSchool(db, id)
  if (type === 'teacher')
    return { school, user_type: type, teacher: (await listTeachers(db, { ...page, school: id })).teachers }
  return {
    school,
    user_type: type,
    student: (await listStudents(db, actor, { ...page, school: id })).students,
  }
}

/** The first twenty schools that match a search, or the school with this `id`, for a select. */
export async function findSchools(db: Db, { search, id }: QueryOf<typeof calls.options>) {
  const condition: RawBuilder<unknown> = id ? sql`s.id = ${id}` : matches(sql`s.search`, search) || sql`true`
  return {
    schools: await rows(
      db,
      sql<{ id: number; name: string; admin_code: string }>`
        select s.id, s.name, s.admin_code from schools s where ${condition} order by s.name collate "fr-x-icu", s.id limit 20
      `,
    ),
  }
}

/** The classes of a school, and its country. Throws 404 if there is no such school. */
export async function listClasses(db: Db, id: number) {
  const [school] = await rows(
    db,
    sql<AnswerOf<typeof calls.classes>>`
      select ${countryOf(sql`s.id`)} as country,
        coalesce((select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name) order by length(k.name), k.name)
          from classes k where k.school_id = s.id), '[]') as classes
      from schools s where s.id = ${id}`,
  )
  if (!school) throw notFound()
  return school
}

type Stored = Omit<SchoolEdit, 'version'> & { id: number; cap_id: number }

/** Changes a school. The CAP must exist and must belong to the AE. An inactive CAP may only be kept. */
export function updateSchool(db: Db, actor: Actor, id: number, edit: SchoolEdit): Promise<void> {
  return transaction(db, async (tx) => {
    // First alone: a statement that waits for the row would look for the CAP of before, and find no school.
    await sql`select from schools where id = ${id} for update`.execute(tx)
    const stored = await lockVersion<Stored>(
      tx,
      sql`select s.*, c.name as admin_district_as_cap, a.name as education_authority_as_ae from ${from} where s.id = ${id} for update of s`,
      edit.version,
    )
    const { version: _, admin_district_as_cap, education_authority_as_ae, ...fields } = edit
    const cap_id = await findCap(tx, admin_district_as_cap, education_authority_as_ae, stored.cap_id)
    if (
      fields.type_of_school !== stored.type_of_school &&
      !(await isListed(tx, 'school_type', fields.type_of_school))
    )
      throw invalid({ type_of_school: text.typeUnknown })
    if (fields.arrondissement_id) {
      const { rows: places } = await sql`
        select from arrondissements where id = ${fields.arrondissement_id}`.execute(tx)
      if (places.length === 0) throw invalid({ arrondissement_id: 'choose' })
    }
    await saveChanges(tx, actor, { table: 'schools', subject: 'school', version: edit.version }, stored, {
      ...fields,
      cap_id,
    })
  })
}

async function findCap(db: Reader, cap: string, academy: string, kept: number): Promise<number> {
  const { rows: caps } = await sql<{ id: number; name: string; active: boolean; academy: string }>`
    select c.id, c.name, c.active, a.name as academy from caps c join academies a on a.id = c.academy_id`.execute(
    db,
  )
  const alike = caps.filter(({ name }) => folded(name) === folded(cap))
  if (alike.length === 0) {
    const near = nearest(
      cap,
      caps.filter(({ active }) => active).map(({ name }) => name),
    )
    throw invalid({
      admin_district_as_cap: near ? sentence('cap_unknown_near', cap, near) : sentence('cap_unknown', cap),
    })
  }
  const found = alike.find((one) => folded(one.academy) === folded(academy))
  if (found && !found.active && found.id !== kept)
    throw invalid({ admin_district_as_cap: sentence('cap_inactive', found.name) })
  if (found) return found.id
  const [first] = alike
  throw invalid({
    education_authority_as_ae: sentence(
      'cap_other_academy',
      first?.name ?? cap,
      first?.academy ?? '',
      academy,
    ),
  })
}
