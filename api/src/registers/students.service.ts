import type { QueryOf } from '@portal/contracts/endpoint'
import { namesOf } from '@portal/contracts/field'
import type { Country, ListQuery } from '@portal/contracts/fields'
import type { FoundPerson } from '@portal/contracts/imports'
import { unusualAge } from '@portal/contracts/registers/school-age'
import { sensitiveFields, studentFields } from '@portal/contracts/registers/students.fields'
import type { students as calls, Student, StudentEdit } from '@portal/contracts/registers-students'
import { fillText } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { type Db, rows, searchRows, type Tx, transaction } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import { invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { isListed, lockVersion, saveChanges } from './edit.service.ts'
import { ownColumns } from './field-columns.ts'
import { countryOf, levelFault, readListed } from './lookups.ts'
import { text } from './messages.ts'
import { schoolIdsOfRegion, schoolsOfRegion } from './teachers.service.ts'

const from = sql`students s join users u on u.id = s.user_id join schools sc on sc.id = s.school_id
  left join classes k on k.id = s.class_id`
const open = sql`s.id, jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name,
    'date_of_birth', u.date_of_birth, 'gender', u.gender) as "user",
  jsonb_build_object('id', sc.id, 'name', sc.name, 'admin_code', sc.admin_code, 'start_date', s.start_date) as school,
  case when k.id is not null then jsonb_build_object('id', k.id, 'name', k.name) end as class,
  coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', pu.first_name || ' ' || pu.last_name) order by p.id)
    from parent_students ps join parents p on p.id = ps.parent_id join users pu on pu.id = p.user_id
    where ps.student_id = s.id), '[]') as parents,
  u.date_of_birth, ${ownColumns(studentFields, sql`s`, ({ sensitive }) => !sensitive)},
  s.created_at, s.version`
/** The columns that this person may see. Sensitive columns are not even read without the permission (Access 5.1). */
const columnsFor = (actor: Actor) =>
  actor.can('students.sensitive')
    ? sql`${open}, ${ownColumns(studentFields, sql`s`, ({ sensitive }) => sensitive === true)}`
    : open

type Filters = Pick<
  QueryOf<typeof calls.list>,
  'search' | 'region' | 'cap' | 'school' | 'class' | 'class_level' | 'language'
> & { ids?: number[] | undefined }

/** The conditions of the list and of its export. They use the table `students s` only. */
export const studentFilter = (query: Filters) => [
  matches(sql`s.search`, query.search),
  query.ids && sql`s.id = any(${query.ids}::bigint[])`,
  query.school && sql`s.school_id = ${query.school}`,
  query.class && sql`s.class_id = ${query.class}`,
  query.class_level && sql`s.current_class_level = ${query.class_level}`,
  query.language && sql`s.language_spoken = ${query.language}`,
  query.cap && sql`s.school_id = any(array(select id from schools where cap_id = ${query.cap}))`,
  query.region && schoolsOfRegion(query.region, 's'),
]

type Query = Omit<QueryOf<typeof calls.list>, 'sort'> & Pick<ListQuery, 'sort'>

/** Students, sorted by name by default. The calls offer first names for one school only, because no index has them. */
export async function listStudents(db: Db, actor: Actor, query: Query) {
  const { region, ...others } = query
  // With its schools as values the planner knows how many girls a region has.
  const schools = region && (await schoolIdsOfRegion(db, region))
  const list = await paged<Student>(db, query, {
    columns: columnsFor(actor),
    from,
    narrow: query.sort?.endsWith('first_name')
      ? sql`students s join users u on u.id = s.user_id`
      : sql`students s`,
    where: [...studentFilter(others), schools && sql`s.school_id = any(${schools}::bigint[])`],
    sort: {
      last_name: sql`s.person collate "fr-x-icu"`,
      first_name: sql`u.first_name collate "fr-x-icu"`,
      student_code: sql`s.student_code`,
      created_at: sql`s.id`,
    },
    order: 'last_name',
    key: sql`s.id`,
    total: 'students',
    covered: {
      text: sql`s.search`,
      name: sql`s.person collate "fr-x-icu"`,
      as: sql`s`,
      columns: sql`s.id, s.person`,
    },
    planned: Boolean(region && !query.cap && !query.school),
  })
  return { students: list }
}

/** As many as a person tells apart at a glance; another word of the name narrows them. */
const foundAtMost = 8

/** Students by words of their names and codes, with no more than tells them apart: name, code and school. Their ids are for the log. */
export async function findStudents(db: Db, search: string) {
  const named = matches(sql`s.search`, search)
  if (!named) return { students: [], more: false }
  const found = await searchRows(
    db,
    sql<
      FoundPerson & { id: number }
    >`select s.id, s.student_code as code, u.first_name || ' ' || u.last_name as name, sc.name as place
      from ${from} where ${named} order by s.person collate "fr-x-icu", s.id limit ${foundAtMost + 1}`,
  )
  return { students: found.slice(0, foundAtMost), more: found.length > foundAtMost }
}

/** Reads one student, or throws 404. */
export async function readStudent(db: Db, actor: Actor, id: number): Promise<Student> {
  const [student] = await rows(db, sql<Student>`select ${columnsFor(actor)} from ${from} where s.id = ${id}`)
  if (!student) throw notFound()
  return student
}

type Fields = Omit<StudentEdit, 'version' | 'age_confirmed'>
type Stored = Required<Fields> & {
  id: number
  user_id: number
  school_id: number
  country: Country
  today: string
}
const ofPerson = namesOf(studentFields, ({ stored }) => stored === 'person')

/**
 * Changes a student. Sensitive fields are ignored if the person may not see them. The row of a girl who was erased is nobody's, so that no
 * form that was open brings her back.
 */
export function updateStudent(db: Db, actor: Actor, id: number, edit: StudentEdit): Promise<void> {
  return transaction(db, async (tx) => {
    const stored = await lockVersion<Stored>(
      tx,
      sql`select s.*, u.first_name, u.last_name, u.gender, u.date_of_birth, (now() at time zone 'utc')::date as today,
          ${countryOf(sql`s.school_id`)} as country
        from students s join users u on u.id = s.user_id
        where s.id = ${id} and s.student_code <> 'erased-' || s.id for update`,
      edit.version,
    )
    const { version: _, age_confirmed, ...fields } = edit
    await checkEdit(tx, stored, fields)
    if (!age_confirmed) checkAge(stored, fields)
    const own = actor.can('students.sensitive') ? fields : withoutSensitive(fields)
    await saveChanges(
      tx,
      actor,
      { table: 'students', person: ofPerson, subject: 'student', version: edit.version },
      stored,
      own,
    )
  })
}

function withoutSensitive<Fields extends object>(fields: Fields): Partial<Fields> {
  const hidden = new Set<string>(sensitiveFields)
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.has(name))) as Partial<Fields>
}

async function checkEdit(tx: Tx, stored: Stored, fields: Fields) {
  const { current_class_level: level, language_spoken: language, class_id } = fields
  // The stored value may be sent back even if the closed list has dropped it.
  if (level !== stored.current_class_level) {
    const levels = await readListed(tx, 'class_level')
    if (!levels.codes(stored.country).includes(level))
      throw invalid({ current_class_level: levelFault(levels, level, stored.country) })
  }
  if (language && language !== stored.language_spoken && !(await isListed(tx, 'language', language)))
    throw invalid({ language_spoken: text.languageUnknown })
  if (class_id && class_id !== stored.class_id) {
    const { rows: found } = await sql`
      select from classes where id = ${class_id} and school_id = ${stored.school_id}`.execute(tx)
    if (found.length === 0) throw invalid({ class_id: text.classOfOtherSchool })
  }
}

/** A date of birth or level that somebody has just typed and that does not fit the other is asked about (Registers 3.4). */
function checkAge(stored: Stored, { date_of_birth, current_class_level }: Fields) {
  if (date_of_birth === stored.date_of_birth && current_class_level === stored.current_class_level) return
  const odd = unusualAge(date_of_birth, current_class_level, stored.today)
  if (odd) throw invalid({ age_confirmed: fillText(text.ageUnusual, odd.age, odd.usual) })
}
