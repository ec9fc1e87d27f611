import { sentence } from '@portal/contracts/imports/import-sentences'
import { severalOf } from '@portal/contracts/imports/read-cell'
import type { SheetRow } from '@portal/contracts/imports/sheet'
import { parentFields } from '@portal/contracts/registers/parents.fields'
import { parentsSheet } from '@portal/contracts/registers/parents.sheet'
import { type RawBuilder, sql } from 'kysely'
import { importedColumns, storedBy } from '../imports/import-parts.service.ts'
import { readRow } from '../imports/import-sort.service.ts'
import type { CheckedRow, ImportDomain } from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/database/db.ts'
import { checkSeveral } from './import-checks.ts'
import { insertPersons, numbered, replaceLinks, updatePersons } from './people-write.ts'

/** The import of guardians. Its key is their code. The students they care for must exist. */
export const parentsImport: ImportDomain = {
  kind: 'parents',
  permission: 'parents.import',
  sheet: async () => parentsSheet,
  open: async () => ({
    sheet: parentsSheet,
    check: checkRows,
    stored: storedParents,
    insert,
    update,
    link,
  }),
}

const imported = importedColumns(parentFields, sql`r`)
const storedParents = storedBy(sql`r.parent_assigned_id`, {
  alias: 'r',
  tables: sql`parents r join users u on u.id = r.user_id`,
  values: sql`jsonb_build_object(${imported.values}, 'gender', u.gender,
    'students', (select jsonb_agg(s.student_code) from parent_students ps join students s on s.id = ps.student_id where ps.parent_id = r.id))`,
})

async function checkRows(db: Reader, rows: SheetRow[]): Promise<CheckedRow[]> {
  const checked = rows.map((row) => {
    const read = readRow(parentsSheet, row, 'parent_assigned_id')
    return { ...read, key: read.values.parent_assigned_id ?? undefined }
  })
  const codes = new Set(checked.flatMap(({ values }) => severalOf(values.students)))
  const { rows: found } = await sql<{ id: number; student_code: string }>`
    select id, student_code from students where student_code = any(${[...codes]}::text[])
  `.execute(db)
  const students = new Map(found.map(({ id, student_code }) => [student_code, id]))
  for (const row of checked)
    checkSeveral(row, {
      column: 'students',
      ids: 'student_ids',
      find: (code) => students.get(code),
      unknown: (code) => sentence('student_unknown', code),
    })
  return checked
}

async function insert(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  const persons = await insertPersons(tx, part, null)
  await sql`
    insert into parents (user_id, parent_assigned_id, ${imported.names}) select u.id, p.key, ${imported.staged}
    from ${numbered(part)} join ${persons} on u.n = p.n order by p.n`.execute(tx)
}

async function update(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  await updatePersons(tx, part, sql`parents`)
  await sql`
    update parents r set ${imported.kept}, version = r.version + 1 from ${part} where r.id = p.subject_id
  `.execute(tx)
}

async function link(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  const owners = sql`(select p.*, r.id as owner_id from ${part} join parents r on r.parent_assigned_id = p.key) p`
  await replaceLinks(tx, owners, {
    table: sql`parent_students`,
    owner: sql`parent_id`,
    other: sql`student_id`,
    ids: 'student_ids',
  })
}
