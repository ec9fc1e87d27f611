import { sentence } from '@portal/contracts/imports/import-sentences'
import { folded } from '@portal/contracts/imports/nearest'
import { severalOf } from '@portal/contracts/imports/read-cell'
import type { Sheet, SheetRow } from '@portal/contracts/imports/sheet'
import { unusualAge } from '@portal/contracts/registers/school-age'
import { studentFields } from '@portal/contracts/registers/students.fields'
import { studentsSheet } from '@portal/contracts/registers/students.sheet'
import { type RawBuilder, sql } from 'kysely'
import { given, importedColumns, of, storedBy } from '../imports/import-parts.service.ts'
import { readRow } from '../imports/import-sort.service.ts'
import type { CheckedRow, Fault, ImportDomain, Stored } from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/database/db.ts'
import { checkListed, checkSchool, checkSeveral, classUnknown, fault, type Schools } from './import-checks.ts'
import { likelyStudents } from './likely-students.ts'
import {
  findLevel,
  Hints,
  type KnownClass,
  type KnownSchool,
  type Listed,
  levelFault,
  readClasses,
  readListed,
  readSchools,
} from './lookups.ts'
import { insertPersons, numbered, replaceLinks, updatePersons } from './people-write.ts'

type Known = Schools & {
  classes: Map<number, Map<string, KnownClass>>
  levels: Listed
  languages: Listed
}

/** The import of students. Its key is the student code. Schools, classes, levels and guardians must exist. */
export const studentsImport: ImportDomain = {
  kind: 'students',
  permission: 'students.import',
  sheet: async (_, params) => studentsSheet(params.sensitive === true),
  likely: { permission: 'students.view', pairs: likelyStudents },
  async open({ db }, task) {
    const sheet = studentsSheet(task.params.sensitive === true)
    const { rows } = await sql<{ today: string }>`select (now() at time zone 'utc')::date as today`.execute(
      db,
    )
    const today = rows[0]?.today ?? ''
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
      stored: storedBy(sql`s.student_code`, { alias: 's', values: studentValues, tables: studentTables }),
      doubt: (values, stored) => refuseLevel(known, values, stored) ?? doubtAge(values, stored, today),
      settle: leaveClass,
      insert,
      update,
      link,
    }
  },
}

/** The tables and values of a student as the sheet has them. The export uses them too. */
export const studentTables = sql`students s join users u on u.id = s.user_id join schools sc on sc.id = s.school_id
  left join classes k on k.id = s.class_id`
const imported = importedColumns(studentFields, sql`s`)
export const studentValues = sql`jsonb_build_object(${imported.values}, 'admin_code', sc.admin_code, 'class', k.name,
  'parents', (select jsonb_agg(g.parent_assigned_id) from parent_students ps join parents g on g.id = ps.parent_id where ps.student_id = s.id))`

async function checkRows(db: Reader, sheet: Sheet, known: Known, rows: SheetRow[]): Promise<CheckedRow[]> {
  const checked = rows.map((row) => checkRow(sheet, known, row))
  const codes = new Set(checked.flatMap(({ values }) => severalOf(values.parents)))
  if (codes.size === 0) return checked
  const { rows: found } = await sql<{ id: number; code: string }>`
    select id, parent_assigned_id as code from parents where parent_assigned_id = any(${[...codes]}::text[])
  `.execute(db)
  const parents = new Map(found.map(({ id, code }) => [code, id]))
  for (const row of checked)
    checkSeveral(row, {
      column: 'parents',
      ids: 'parent_ids',
      find: (code) => parents.get(code),
      unknown: (code) => sentence('parent_unknown', code),
    })
  return checked
}

function checkRow(sheet: Sheet, known: Known, row: SheetRow): CheckedRow {
  const checked = readRow(sheet, row, 'student_code')
  checked.key = checked.values.student_code ?? undefined
  const school = checkSchool(known, checked)
  checkClass(known, school, checked)
  checkLevel(known, school, checked)
  checkLanguage(known, checked)
  return checked
}

function checkClass({ classes }: Known, school: KnownSchool | undefined, checked: CheckedRow) {
  const { admin_code, class: name } = checked.values
  if (!name) return
  if (!admin_code) fault(checked, 'admin_code', 'required')
  if (!school) return
  const known = classes.get(school.id)
  const found = known?.get(folded(name))
  if (!found) return fault(checked, 'class', classUnknown(known, name))
  checked.values.class = found.name
  checked.rest.class_id = found.id
}

function checkLevel({ levels }: Known, school: KnownSchool | undefined, checked: CheckedRow) {
  const level = checked.values.current_class_level
  if (!level) return
  const country = school?.country
  const code = country
    ? findLevel(levels, level, country)
    : (levels.find(level) ?? findLevel(levels, level, 'ml'))
  if (code) {
    checked.values.current_class_level = code
    return
  }
  fault(checked, 'current_class_level', levelFault(levels, level, country))
}

function checkLanguage({ languages }: Known, checked: CheckedRow) {
  const language = checked.values.language_spoken
  const near = language && !languages.find(language) ? languages.near(language) : undefined
  if (language && near) fault(checked, 'language_spoken', sentence('not_listed_near', language, near))
  else checkListed(checked, 'language_spoken', languages)
}

/** Refuses a level of the other country where the cell of the school or of the level is blank, and the stored one counts. */
function refuseLevel(
  { schools, levels }: Known,
  values: CheckedRow['values'],
  stored: Stored | undefined,
): Fault | null {
  const column = 'current_class_level'
  const before = stored?.values
  const level = values[column] ?? before?.[column]
  const code = values.admin_code ?? before?.admin_code
  if (!level || !code || (level === before?.[column] && code === before.admin_code)) return null
  const country = schools.get(code)?.country
  const own = levels.countryOf(level)
  if (!country || !own || own === country) return null
  return { column, value: level, message: levelFault(levels, level, country) }
}

/** Asks about an age that is unusual at the class level, where the row changes one of the two (Registers 3.4). */
function doubtAge(values: CheckedRow['values'], stored: Stored | undefined, today: string): Fault | null {
  const column = 'date_of_birth'
  const before = stored?.values
  const born = values[column] ?? before?.[column]
  const level = values.current_class_level ?? before?.current_class_level
  if (!born || !level) return null
  if (born === before?.[column] && level === before?.current_class_level) return null
  const odd = unusualAge(born, level, today)
  if (!odd) return null
  const written = born.split('-').reverse().join('/')
  return { column, value: written, message: sentence('age_unusual', written, level, odd.usual) }
}

/** Removes the stored class if a student moves to another school and the row names no class. */
function leaveClass(values: CheckedRow['values'], { values: stored }: Stored): CheckedRow['values'] {
  const moves = values.admin_code && values.admin_code !== stored.admin_code
  return moves && values.class === null && stored.class ? { ...values, class: '' } : values
}

const school = sql`(${of('school_id')})::bigint`

async function insert(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  const persons = await insertPersons(tx, part, 'student')
  await sql`
    insert into students (user_id, school_id, class_id, student_code, ${imported.names})
    select u.id, ${school}, (${of('class_id')})::bigint, p.key, ${imported.staged}
    from ${numbered(part)} join ${persons} on u.n = p.n order by p.n`.execute(tx)
}

async function update(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  await updatePersons(tx, part, sql`students`)
  await sql`
    update students s set school_id = coalesce(${school}, s.school_id),
      class_id = case when ${school} <> s.school_id then (${of('class_id')})::bigint else ${given('class_id', 'bigint', sql`s.class_id`)} end,
      ${imported.kept}, version = s.version + 1
    from ${part} where s.id = p.subject_id`.execute(tx)
}

async function link(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  const owners = sql`(select p.*, s.id as owner_id from ${part} join students s on s.student_code = p.key) p`
  await replaceLinks(tx, owners, {
    table: sql`parent_students`,
    owner: sql`student_id`,
    other: sql`parent_id`,
    ids: 'parent_ids',
  })
}
