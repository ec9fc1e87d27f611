import { sentence } from '@portal/contracts/import-sentences'
import { folded } from '@portal/contracts/nearest'
import { severalOf, severalText } from '@portal/contracts/read-cell'
import type { SheetRow } from '@portal/contracts/sheet'
import { teacherFields } from '@portal/contracts/teachers.fields'
import { teachersSheet } from '@portal/contracts/teachers.sheet'
import { sql } from 'drizzle-orm'
import { readRow } from '../imports/import-sort.service.ts'
import type { CheckedRow, ImportDomain, TaskRow } from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/db.ts'
import {
  Hints,
  importedColumns,
  type KnownClass,
  type KnownSchool,
  type Listed,
  locked,
  of,
  readClasses,
  readListed,
  readSchools,
  readStored,
  stagedPart,
} from './lookups.ts'
import { keepAccountNames } from './partners.import.ts'
import { insertPersons, numbered, replaceLinks, updatePersons } from './people-write.ts'

type Known = {
  schools: Map<string, KnownSchool>
  classes: Map<number, Map<string, KnownClass>>
  types: Listed
  hints: Hints
}

/** Teachers, known in their school by e-mail, or by phone where they have none (Registers 3.1). */
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
    }
    return {
      sheet: teachersSheet,
      check: (reader, rows) => checkRows(reader, known, rows),
      stored: (reader, keys, lock) => readStored(reader, storedTeachers(keys, lock)),
      settle: keepAccountNames,
      write: (tx, pile, from, to) => write(tx, task, pile, from, to),
    }
  },
}

const keysTable = (
  keys: string[],
) => sql`(select split_part(k, '/', 1)::bigint as school_id, substr(k, strpos(k, '/') + 1) as natural_key
  from unnest(${sql.param(keys)}::text[]) k) w`

const imported = importedColumns(teacherFields, sql`r`)

const storedTeachers = (keys: string[], lock: boolean) => sql`
  select r.school_id || '/' || r.natural_key as key, r.id, jsonb_build_object('admin_code', s.admin_code, 'first_name', u.first_name,
    'last_name', u.last_name, 'gender', u.gender, 'email', u.email, ${imported.values},
    'account', case when u.account then 'yes' end,
    'classes', (select jsonb_agg(k.name) from teacher_classes tc join classes k on k.id = tc.class_id where tc.teacher_id = r.id)) as values
  from teachers r join users u on u.id = r.user_id join schools s on s.id = r.school_id
    join ${keysTable(keys)} on w.school_id = r.school_id and w.natural_key = r.natural_key ${locked(lock, 'r')}`

async function checkRows(db: Reader, known: Known, rows: SheetRow[]): Promise<CheckedRow[]> {
  const checked = rows.map((row) => checkRow(known, row))
  // Who was first known by phone stays so when an e-mail comes later.
  const byPhone = checked.flatMap(({ values, more }) =>
    values.email && values.phone_1 && more.school_id ? `${more.school_id}/${values.phone_1}` : [],
  )
  const phones = await readStored(db, storedTeachers(byPhone, false))
  const emails = await readUsers(
    db,
    checked.flatMap(({ values }) => values.email ?? []),
  )
  for (const row of checked) {
    const { values, more, errors } = row
    if (!more.school_id) continue
    const known = phones.get(`${more.school_id}/${values.phone_1}`)
    const natural =
      known && (known.values.email ?? values.email) === values.email
        ? values.phone_1
        : (values.email ?? values.phone_1)
    if (!natural) continue
    row.key = `${more.school_id}/${natural}`
    more.natural_key = natural
    if (natural !== values.email && values.email && !known?.values.email && emails.has(values.email))
      errors.push({ column: 'email', value: values.email, message: 'taken' })
  }
  return checked
}

async function readUsers(db: Reader, emails: string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ email: string }>(
    sql`select email from users where email = any(${sql.param(emails)}::text[])`,
  )
  return new Set(rows.map(({ email }) => email))
}

function checkRow(known: Known, row: SheetRow): CheckedRow {
  const checked = readRow(teachersSheet, row, 'email')
  const { values, errors, more } = checked
  checked.keyColumn = values.email ? 'email' : 'phone_1'
  const fault = (column: string, message: string) =>
    errors.push({ column, value: values[column] ?? null, message })
  const { admin_code, employment_type: type } = values
  const school = admin_code ? known.schools.get(admin_code) : undefined
  if (admin_code && !school) {
    const near = known.hints.near(admin_code, known.schools.keys())
    fault(
      'admin_code',
      near ? sentence('school_unknown_near', admin_code, near) : sentence('school_unknown', admin_code),
    )
  }
  const unreadable = errors.some(({ column }) => column === 'email' || column === 'phone_1')
  if (!values.email && !values.phone_1 && !unreadable) fault('email', sentence('contact_needed'))
  if (school) {
    more.school_id = school.id
    findClasses(known, school, checked)
  }
  const code = type ? known.types.find(type) : null
  if (code === undefined)
    fault('employment_type', sentence('not_listed', type ?? '', known.types.codes().join(', ')))
  else values.employment_type = code
  return checked
}

function findClasses({ classes }: Known, school: KnownSchool, { values, more, errors }: CheckedRow) {
  const names = severalOf(values.classes)
  if (names.length === 0) return
  const known = classes.get(school.id)
  const unknown = names.find((name) => !known?.has(folded(name)))
  if (unknown) {
    const some = severalText([...(known?.values() ?? [])].map(({ name }) => name))?.replaceAll('; ', ', ')
    const message = some ? sentence('class_unknown_near', unknown, some) : sentence('class_unknown', unknown)
    errors.push({ column: 'classes', value: values.classes ?? null, message })
    return
  }
  const found = names.flatMap((name) => known?.get(folded(name)) ?? [])
  more.class_ids = found.map(({ id }) => id)
  values.classes = severalText(found.map(({ name }) => name))
}

async function write(
  tx: Tx,
  task: TaskRow,
  pile: 'new' | 'changed',
  from: number,
  to: number,
): Promise<void> {
  const part = stagedPart(task, pile, from, to)
  if (pile === 'new') {
    const withMail = sql`(select * from ${part} where ${of('email')} is not null) p`
    const without = sql`(select * from ${part} where ${of('email')} is null) p`
    await tx.execute(sql`
      insert into users (first_name, last_name, gender, email, type)
      select distinct on (${of('email')}) ${of('first_name')}, ${of('last_name')}, ${of('gender')}, ${of('email')}, 'teacher'
      from ${withMail} order by ${of('email')}, p."row" on conflict (email) do nothing`)
    const columns = sql`(${of('school_id')})::bigint, ${of('natural_key')}, ${imported.staged}`
    const into = sql`insert into teachers (user_id, school_id, natural_key, ${imported.names})`
    await tx.execute(
      sql`${into} select u.id, ${columns} from ${withMail} join users u on u.email = ${of('email')} order by p."row"`,
    )
    const persons = await insertPersons(tx, without, 'teacher')
    await tx.execute(
      sql`${into} select u.id, ${columns} from ${numbered(without)} join ${persons} on u.n = p.n order by p.n`,
    )
  } else {
    await updatePersons(tx, part, sql`teachers`)
    await tx.execute(sql`
      update users u set email = ${of('email')} from ${part} join teachers r on r.id = p.subject_id
      where u.id = r.user_id and u.email is null and ${of('email')} is not null`)
    await tx.execute(sql`
      update teachers r set ${imported.kept}
      from ${part} where r.id = p.subject_id`)
  }
  const owners = sql`(select p.*, r.id as owner_id from ${part} join teachers r on r.school_id || '/' || r.natural_key = p.key
    and r.school_id = split_part(p.key, '/', 1)::bigint) p`
  await replaceLinks(tx, owners, {
    table: sql`teacher_classes`,
    owner: sql`teacher_id`,
    other: sql`class_id`,
    ids: 'class_ids',
  })
}
