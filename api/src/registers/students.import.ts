import { sentence } from '@portal/contracts/import-sentences'
import { folded } from '@portal/contracts/nearest'
import { severalOf, severalText } from '@portal/contracts/read-cell'
import type { Sheet, SheetRow } from '@portal/contracts/sheet'
import { studentFields } from '@portal/contracts/students.fields'
import { studentsSheet } from '@portal/contracts/students.sheet'
import { sql } from 'drizzle-orm'
import { readRow } from '../imports/import-sort.service.ts'
import type { CheckedRow, ImportDomain, Stored, TaskRow } from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/db.ts'
import {
  findLevel,
  given,
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
import { insertPersons, numbered, replaceLinks, updatePersons } from './people-write.ts'

type Known = {
  schools: Map<string, KnownSchool>
  classes: Map<number, Map<string, KnownClass>>
  levels: Listed
  languages: Listed
  hints: Hints
}

/** Students, known by their code; school, class, level and guardians must be known ones. */
export const studentsImport: ImportDomain = {
  kind: 'students',
  permission: 'students.import',
  sheet: async (_, params) => studentsSheet(params.sensitive === true),
  async open({ db }, task) {
    const sheet = studentsSheet(task.params.sensitive === true)
    const known: Known = {
      schools: await readSchools(db),
      classes: await readClasses(db),
      levels: await readListed(db, 'class_level'),
      languages: await readListed(db, 'language'),
      hints: new Hints(),
    }
    return {
      sheet,
      check: (reader, rows) => checkRows(reader, sheet, known, rows),
      stored: (reader, keys, lock) =>
        readStored(
          reader,
          sql`select s.student_code as key, s.id, ${studentValues} as values from ${studentTables}
          where s.student_code = any(${sql.param(keys)}::text[]) ${locked(lock, 's')}`,
        ),
      settle: leaveClass,
      write: (tx, pile, from, to) => write(tx, task, pile, from, to),
    }
  },
}

/** A student as her sheet has her; the export is made of the same. */
export const studentTables = sql`students s join users u on u.id = s.user_id join schools sc on sc.id = s.school_id
  left join classes k on k.id = s.class_id`
const imported = importedColumns(studentFields, sql`s`)
export const studentValues = sql`jsonb_build_object('student_code', s.student_code, 'first_name', u.first_name, 'last_name', u.last_name,
  'gender', u.gender, 'date_of_birth', u.date_of_birth, 'admin_code', sc.admin_code, 'class', k.name,
  'parents', (select jsonb_agg(g.parent_assigned_id) from parent_students ps join parents g on g.id = ps.parent_id where ps.student_id = s.id),
  ${imported.values})`

async function checkRows(db: Reader, sheet: Sheet, known: Known, rows: SheetRow[]): Promise<CheckedRow[]> {
  const checked = rows.map((row) => checkRow(sheet, known, row))
  const codes = new Set(checked.flatMap(({ values }) => severalOf(values.parents)))
  if (codes.size === 0) return checked
  const { rows: found } = await db.execute<{ id: number; code: string }>(
    sql`select id, parent_assigned_id as code from parents where parent_assigned_id = any(${sql.param([...codes])}::text[])`,
  )
  const parents = new Map(found.map(({ id, code }) => [code, id]))
  for (const { values, errors, more } of checked) {
    const given = severalOf(values.parents)
    const unknown = given.find((code) => !parents.has(code))
    if (unknown)
      errors.push({
        column: 'parents',
        value: values.parents ?? null,
        message: sentence('parent_unknown', unknown),
      })
    else if (given.length > 0) more.parent_ids = given.map((code) => parents.get(code))
  }
  return checked
}

function checkRow(sheet: Sheet, known: Known, row: SheetRow): CheckedRow {
  const checked = readRow(sheet, row, 'student_code')
  const { values, errors, more } = checked
  checked.key = values.student_code ?? undefined
  const fault = (column: string, message: string) =>
    errors.push({ column, value: values[column] ?? null, message })
  const { admin_code, class: className, current_class_level: level, language_spoken: language } = values
  const school = admin_code ? known.schools.get(admin_code) : undefined
  if (admin_code && !school) {
    const near = known.hints.near(admin_code, known.schools.keys())
    fault(
      'admin_code',
      near ? sentence('school_unknown_near', admin_code, near) : sentence('school_unknown', admin_code),
    )
  }
  if (school) more.school_id = school.id
  if (className && !admin_code) fault('admin_code', 'required')
  if (className && school) {
    const classes = known.classes.get(school.id)
    const found = classes?.get(folded(className))
    if (found) {
      values.class = found.name
      more.class_id = found.id
    } else {
      const names = [...(classes?.values() ?? [])].map(({ name }) => name)
      const some = severalText(names)?.replaceAll('; ', ', ')
      fault(
        'class',
        some ? sentence('class_unknown_near', className, some) : sentence('class_unknown', className),
      )
    }
  }
  if (level) {
    const country = school?.country
    const code = country
      ? findLevel(known.levels, level, country)
      : (known.levels.find(level) ?? findLevel(known.levels, level, 'ml'))
    if (code) values.current_class_level = code
    else {
      const near = known.levels.near(level, country)
      fault(
        'current_class_level',
        near ? sentence('level_unknown_near', level, near) : sentence('level_unknown', level),
      )
    }
  }
  if (language) {
    const code = known.languages.find(language)
    const near = code ? undefined : known.languages.near(language)
    if (code) values.language_spoken = code
    else
      fault(
        'language_spoken',
        near
          ? sentence('not_listed_near', language, near)
          : sentence('not_listed', language, known.languages.codes().join(', ')),
      )
  }
  return checked
}

/** Who moves to another school without naming a class has none there. */
function leaveClass(values: CheckedRow['values'], { values: stored }: Stored): CheckedRow['values'] {
  const moves = values.admin_code && values.admin_code !== stored.admin_code
  return moves && values.class === null && stored.class ? { ...values, class: '' } : values
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
    const persons = await insertPersons(tx, part, 'student')
    await tx.execute(sql`
      insert into students (user_id, school_id, class_id, student_code, ${imported.names})
      select u.id, (${of('school_id')})::bigint, (${of('class_id')})::bigint, p.key, ${imported.staged}
      from ${numbered(part)} join ${persons} on u.n = p.n order by p.n`)
  } else {
    await updatePersons(tx, part, sql`students`)
    const school = sql`(${of('school_id')})::bigint`
    await tx.execute(sql`
      update students s set school_id = coalesce(${school}, s.school_id),
        class_id = case when ${school} <> s.school_id then (${of('class_id')})::bigint else ${given('class_id', 'bigint', sql`s.class_id`)} end,
        ${imported.kept}, version = s.version + 1
      from ${part} where s.id = p.subject_id`)
  }
  const owners = sql`(select p.*, s.id as owner_id from ${part} join students s on s.student_code = p.key) p`
  await replaceLinks(tx, owners, {
    table: sql`parent_students`,
    owner: sql`student_id`,
    other: sql`parent_id`,
    ids: 'parent_ids',
  })
}
