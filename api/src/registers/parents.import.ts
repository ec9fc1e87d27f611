import { sentence } from '@portal/contracts/import-sentences'
import { parentFields } from '@portal/contracts/parents.fields'
import { parentsSheet } from '@portal/contracts/parents.sheet'
import { severalOf } from '@portal/contracts/read-cell'
import type { SheetRow } from '@portal/contracts/sheet'
import { sql } from 'drizzle-orm'
import { readRow } from '../imports/import-sort.service.ts'
import type { CheckedRow, ImportDomain, TaskRow } from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/db.ts'
import { importedColumns, locked, readStored, stagedPart } from './lookups.ts'
import { insertPersons, numbered, replaceLinks, updatePersons } from './people-write.ts'

/** Guardians, known by their code; the students they care for must be known ones. */
export const parentsImport: ImportDomain = {
  kind: 'parents',
  permission: 'parents.import',
  sheet: async () => parentsSheet,
  open: async (_, task) => ({
    sheet: parentsSheet,
    check: checkRows,
    stored: (reader, keys, lock) => readStored(reader, storedParents(keys, lock)),
    write: (tx, pile, from, to) => write(tx, task, pile, from, to),
  }),
}

const imported = importedColumns(parentFields, sql`r`)

const storedParents = (keys: string[], lock: boolean) => sql`
  select r.parent_assigned_id as key, r.id, jsonb_build_object('parent_assigned_id', r.parent_assigned_id, 'first_name', u.first_name,
    'last_name', u.last_name, 'gender', u.gender, ${imported.values},
    'students', (select jsonb_agg(s.student_code) from parent_students ps join students s on s.id = ps.student_id where ps.parent_id = r.id)) as values
  from parents r join users u on u.id = r.user_id where r.parent_assigned_id = any(${sql.param(keys)}::text[]) ${locked(lock, 'r')}`

async function checkRows(db: Reader, rows: SheetRow[]): Promise<CheckedRow[]> {
  const checked = rows.map((row) => {
    const read = readRow(parentsSheet, row, 'parent_assigned_id')
    return { ...read, key: read.values.parent_assigned_id ?? undefined }
  })
  const codes = new Set(checked.flatMap(({ values }) => severalOf(values.students)))
  const { rows: found } = await db.execute<{ id: number; student_code: string }>(
    sql`select id, student_code from students where student_code = any(${sql.param([...codes])}::text[])`,
  )
  const students = new Map(found.map(({ id, student_code }) => [student_code, id]))
  for (const { values, errors, more } of checked) {
    const given = severalOf(values.students)
    const unknown = given.find((code) => !students.has(code))
    if (unknown)
      errors.push({
        column: 'students',
        value: values.students ?? null,
        message: sentence('student_unknown', unknown),
      })
    else if (given.length > 0) more.student_ids = given.map((code) => students.get(code))
  }
  return checked
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
    const persons = await insertPersons(tx, part, null)
    await tx.execute(sql`
      insert into parents (user_id, parent_assigned_id, ${imported.names}) select u.id, p.key, ${imported.staged}
      from ${numbered(part)} join ${persons} on u.n = p.n order by p.n`)
  } else {
    await updatePersons(tx, part, sql`parents`)
    await tx.execute(sql`
      update parents r set ${imported.kept}, version = r.version + 1
      from ${part} where r.id = p.subject_id`)
  }
  const owners = sql`(select p.*, r.id as owner_id from ${part} join parents r on r.parent_assigned_id = p.key) p`
  await replaceLinks(tx, owners, {
    table: sql`parent_students`,
    owner: sql`parent_id`,
    other: sql`student_id`,
    ids: 'student_ids',
  })
}
