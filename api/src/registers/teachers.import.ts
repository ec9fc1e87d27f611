import { sentence } from '@portal/contracts/imports/import-sentences'
import { folded } from '@portal/contracts/imports/nearest'
import { severalOf, severalText } from '@portal/contracts/imports/read-cell'
import type { SheetRow } from '@portal/contracts/imports/sheet'
import { teacherFields } from '@portal/contracts/registers/teachers.fields'
import { teachersSheet } from '@portal/contracts/registers/teachers.sheet'
import { type RawBuilder, sql } from 'kysely'
import { importedColumns, locked, of, readStored } from '../imports/import-parts.service.ts'
import { readRow } from '../imports/import-sort.service.ts'
import type { CheckedRow, Fault, ImportDomain, RowToCheck, Stored } from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/database/db.ts'
import { checkListed, checkSchool, classUnknown, fault, type Schools } from './import-checks.ts'
import {
  Hints,
  type KnownClass,
  type KnownSchool,
  type Listed,
  readClasses,
  readListed,
  readSchools,
} from './lookups.ts'
import {
  checkPeople,
  nothingSaid,
  readPeople,
  rowsOfPeople,
  type Said,
  strangersByNow,
} from './one-person.ts'
import { keepAccountNames } from './partners.import.ts'
import { insertPersons, numbered, replaceLinks, updatePersons } from './people-write.ts'

type Known = Schools & { classes: Map<number, Map<string, KnownClass>>; types: Listed; said: Said }

/**
 * The import of teachers. Its key is the school with the e-mail, or with the phone if there is no e-mail
 * (Registers 3.1).
 */
export const teachersImport: ImportDomain = {
  kind: 'teachers',
  permission: 'teachers.import',
  sheet: async () => teachersSheet,
  async open({ db }, task) {
    const known: Known = {
      schools: await readSchools(db),
      classes: await readClasses(db),
      types: await readListed(db, 'employment_type'),
      hints: new Hints(),
      said: nothingSaid(),
    }
    return {
      sheet: teachersSheet,
      check: (reader, rows) => checkRows(reader, known, rows),
      besides: (reader, keys) => rowsOfPeople(reader, task.id, keys),
      again: () => [...known.said.again],
      stored: (reader, keys, lock) => readStored(reader, storedTeachers(keys, lock)),
      spoilt: async (tx, importId) =>
        new Map([
          ...(await strangersByNow(tx, importId, sql`teachers`)),
          ...(await takenEmails(tx, importId)),
        ]),
      settle: keepAccount,
      insert,
      update,
      link,
    }
  },
}

/** People with an account maintain their names; whom its letters go to is for those to say who may change accounts (Access 4.5). */
const keepAccount = (values: CheckedRow['values'], stored: Stored): CheckedRow['values'] =>
  stored.values.account ? { ...keepAccountNames(values, stored), email: null } : values

const keysTable = (
  keys: string[],
) => sql`(select split_part(k, '/', 1)::bigint as school_id, substr(k, strpos(k, '/') + 1) as natural_key
  from unnest(${keys}::text[]) k) w`

const imported = importedColumns(teacherFields, sql`r`)

const storedTeachers = (keys: string[], lock: boolean) => sql`
  select r.school_id || '/' || r.natural_key as key, r.id, jsonb_build_object(${imported.values}, 'admin_code', s.admin_code,
    'account', case when u.account then 'yes' end,
    'classes', (select jsonb_agg(k.name) from teacher_classes tc join classes k on k.id = tc.class_id where tc.teacher_id = r.id)) as values
  from teachers r join users u on u.id = r.user_id join schools s on s.id = r.school_id
    join ${keysTable(keys)} on w.school_id = r.school_id and w.natural_key = r.natural_key ${locked(lock, 'r')}`

async function checkRows(db: Reader, known: Known, rows: RowToCheck[]): Promise<CheckedRow[]> {
  const leftOut = new Set(rows.flatMap(({ row, left_out }) => (left_out ? [row] : [])))
  const checked = rows.map((row) => checkRow(known, row))
  // A teacher who was first imported by phone keeps that key when an e-mail is added later.
  const byPhone = checked.flatMap(({ values, rest }) =>
    values.email && values.phone_1 && rest.school_id ? `${rest.school_id}/${values.phone_1}` : [],
  )
  const phones = await readStored(db, storedTeachers(byPhone, false))
  const people = await readPeople(
    db,
    checked.flatMap(({ values }) => values.email ?? []),
  )
  const ownKeys = await readOwnKeys(db, checked)
  const found = new Map(checked.map((row) => [row, findKey(row, { phones, people, ownKeys })]))
  checkPeople(
    checked
      .filter((row) => !leftOut.has(row.row) && found.get(row) !== 'by phone')
      .map((row) => ({ row, isStored: found.get(row) === 'stored' })),
    people,
    known.said,
  )
  return checked
}

type Found = {
  phones: Map<string, Stored>
  people: Awaited<ReturnType<typeof readPeople>>
  ownKeys: Map<string, string>
}

/** Sets the key of a row, and returns how its teacher is known. One who is known by phone has no e-mail yet. */
function findKey(row: CheckedRow, { phones, people, ownKeys }: Found): 'stored' | 'by phone' | 'new' {
  const { values, rest, errors } = row
  if (!rest.school_id) return 'new'
  const own = ownKeys.get(`${rest.school_id}/${values.email}`)
  const known = phones.get(`${rest.school_id}/${values.phone_1}`)
  const isKnown = known && (known.values.email ?? values.email) === values.email
  const natural = own ?? (isKnown ? values.phone_1 : (values.email ?? values.phone_1))
  if (!natural) return 'new'
  row.key = `${rest.school_id}/${natural}`
  rest.natural_key = natural
  if (own || (isKnown && known.values.email)) return 'stored'
  if (!isKnown) return 'new'
  if (values.email && people.has(values.email))
    errors.push({ column: 'email', value: values.email, message: 'taken' })
  return 'by phone'
}

/** The natural keys of teachers who are found by school and e-mail, whatever they were first imported by. */
async function readOwnKeys(db: Reader, checked: CheckedRow[]): Promise<Map<string, string>> {
  const wanted = checked.filter(({ values, rest }) => values.email && rest.school_id)
  const { rows } = await sql<{ key: string; natural_key: string }>`
    select r.school_id || '/' || u.email as key, r.natural_key
    from unnest(${wanted.map(({ rest }) => rest.school_id)}::bigint[], ${wanted.map(({ values }) => values.email)}::text[])
        as w (school_id, email)
      join users u on u.email = w.email join teachers r on r.user_id = u.id and r.school_id = w.school_id`.execute(
    db,
  )
  return new Map(rows.map(({ key, natural_key }) => [key, natural_key]))
}

/**
 * Rows that would give their teacher an e-mail that somebody else has by now, or gets from another row of the file: a new
 * teacher, or the first one who is known by phone.
 */
async function takenEmails(tx: Tx, importId: number): Promise<Map<number, Fault>> {
  const { rows } = await sql<{ row: number; email: string }>`
    with given as (
      select p."row", ${of('email')} as email, u.id as user_id from import_rows p
        join teachers r on r.id = p.subject_id join users u on u.id = r.user_id
      where p.import_id = ${importId} and p.kind = 'changed' and ${of('email')} is not null and not u.account and u.email is null
    ), firsts as (
      select *, first_value(user_id) over (partition by email order by "row") as first_user from given
    )
    select f."row", f.email from firsts f where f.user_id <> f.first_user
      or exists (select from users u where u.email = f.email)
      or exists (select from import_rows p where p.import_id = ${importId} and p.kind = 'new' and ${of('email')} = f.email)
  `.execute(tx)
  return new Map(rows.map(({ row, email }) => [row, { column: 'email', value: email, message: 'taken' }]))
}

function checkRow(known: Known, row: SheetRow): CheckedRow {
  const checked = readRow(teachersSheet, row, 'email')
  const { values, errors } = checked
  checked.keyColumn = values.email ? 'email' : 'phone_1'
  const school = checkSchool(known, checked)
  const unreadable = errors.some(({ column }) => column === 'email' || column === 'phone_1')
  if (!values.email && !values.phone_1 && !unreadable) fault(checked, 'email', sentence('contact_needed'))
  if (school) findClasses(known, school, checked)
  checkListed(checked, 'employment_type', known.types)
  return checked
}

function findClasses({ classes }: Known, school: KnownSchool, checked: CheckedRow) {
  const { values, rest } = checked
  const names = severalOf(values.classes)
  if (names.length === 0) return
  const known = classes.get(school.id)
  const unknown = names.find((name) => !known?.has(folded(name)))
  if (unknown) return fault(checked, 'classes', classUnknown(known, unknown))
  const found = names.flatMap((name) => known?.get(folded(name)) ?? [])
  rest.class_ids = found.map(({ id }) => id)
  values.classes = severalText(found.map(({ name }) => name))
}

async function insert(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  const withMail = sql`(select * from ${part} where ${of('email')} is not null) p`
  const without = sql`(select * from ${part} where ${of('email')} is null) p`
  // Perhaps only a later one of her rows has her gender. It is taken at once, so that a second upload of the file changes nothing.
  await sql`
    insert into users (first_name, last_name, gender, email, type)
    select distinct on (${of('email')}) ${of('first_name')}, ${of('last_name')},
      max(${of('gender')}) over (partition by ${of('email')}), ${of('email')}, 'teacher'
    from ${withMail} order by ${of('email')}, p."row"
    on conflict (email) do update set gender = excluded.gender where not users.account and users.gender is null`.execute(
    tx,
  )
  const columns = sql`(${of('school_id')})::bigint, ${of('natural_key')}, ${imported.staged}`
  const into = sql`insert into teachers (user_id, school_id, natural_key, ${imported.names})`
  await sql`
    ${into} select u.id, ${columns} from ${withMail} join users u on u.email = ${of('email')} order by p."row"
  `.execute(tx)
  const persons = await insertPersons(tx, without, 'teacher')
  await sql`
    ${into} select u.id, ${columns} from ${numbered(without)} join ${persons} on u.n = p.n order by p.n
  `.execute(tx)
}

async function update(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  await updatePersons(tx, part, sql`teachers`)
  await sql`
    update users u set email = ${of('email')} from ${part} join teachers r on r.id = p.subject_id
    where u.id = r.user_id and not u.account and u.email is null and ${of('email')} is not null`.execute(tx)
  await sql`
    update teachers r set ${imported.kept} from ${part} where r.id = p.subject_id`.execute(tx)
}

async function link(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  const owners = sql`(select p.*, r.id as owner_id from ${part} join teachers r on r.school_id || '/' || r.natural_key = p.key
    and r.school_id = split_part(p.key, '/', 1)::bigint) p`
  await replaceLinks(tx, owners, {
    table: sql`teacher_classes`,
    owner: sql`teacher_id`,
    other: sql`class_id`,
    ids: 'class_ids',
  })
}
