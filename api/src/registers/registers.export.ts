import type { Sheet } from '@portal/contracts/imports/sheet'
import { schoolsSheet } from '@portal/contracts/registers/schools.sheet'
import { studentsSheet } from '@portal/contracts/registers/students.sheet'
import type { Locale, Text } from '@portal/contracts/sentences'
import { type RawBuilder, sql } from 'kysely'
import { outColumns } from '../excel/sample.ts'
import { type OutCell, type OutColumn, writeWorkbook } from '../excel/write.ts'
import type { Db } from '../kit/database/db.ts'
import { batches } from '../kit/database/keyset.ts'
import { type ExportTask, registerExport } from '../kit/jobs/exports.ts'
import type { Context } from '../kit/process/context.ts'
import { schoolTables, schoolValues } from './schools.import.ts'
import { schoolFilter } from './schools.service.ts'
import { studentTables, studentValues } from './students.import.ts'
import { studentFilter } from './students.service.ts'

export const schoolsExport = 'schools'
export const studentsExport = 'students'

type Line = { id: number; values: Record<string, OutCell | string[]> }
type Source = {
  sheet: Sheet
  values: RawBuilder<unknown>
  tables: RawBuilder<unknown>
  where: (RawBuilder<unknown> | false | undefined | null | '' | 0)[]
  /** Columns after those of the sheet. An import of the file ignores them. */
  rest: (OutColumn & { label: Text })[]
}

/**
 * Registers the exports of schools and students. Their columns are those of the import, so that an exported file can be
 * corrected and imported.
 */
export function registerRegisterExports() {
  registerExport<Parameters<typeof schoolFilter>[0]>(schoolsExport, {
    allowed: (actor) => actor.can('schools.export'),
    subject: (filters) => ({ type: 'school', id: null, filters }),
    write: (context, task) =>
      writeRegister(context, task, {
        sheet: schoolsSheet,
        values: sql`${schoolValues} || jsonb_build_object('teachers', (select count(*) from teachers t where t.school_id = s.id),
        'students', (select count(*) from students t where t.school_id = s.id))`,
        tables: schoolTables,
        where: schoolFilter(task.params),
        rest: [
          { key: 'teachers', header: '', kind: 'whole', label: { en: 'Teachers', fr: 'Enseignants' } },
          { key: 'students', header: '', kind: 'whole', label: { en: 'Students', fr: 'Élèves' } },
        ],
      }),
  })
  registerExport<Parameters<typeof studentFilter>[0] & { sensitive: boolean }>(studentsExport, {
    allowed: (actor, { sensitive }) =>
      actor.can('students.export') && (!sensitive || actor.can('students.sensitive')),
    subject: (filters) => ({ type: 'student', id: null, filters }),
    write: (context, task) =>
      writeRegister(context, task, {
        sheet: studentsSheet(task.params.sensitive),
        values: studentValues,
        tables: studentTables,
        where: studentFilter(task.params),
        rest: [],
      }),
  })
}

async function writeRegister(
  { db }: Context,
  { path, locale, progress }: ExportTask<object>,
  { sheet, values, tables, where, rest }: Source,
) {
  const conditions = where.filter((condition): condition is RawBuilder<unknown> => Boolean(condition))
  const filter = sql.join([sql`true`, ...conditions], sql` and `)
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from ${tables} where ${filter}`.execute(db)
  const total = rows[0]?.total ?? 0
  const columns = [
    ...outColumns(sheet, locale),
    ...rest.map(({ label, ...column }) => ({ ...column, header: label[locale] })),
  ]
  const lines = linesOf(
    db,
    (after) =>
      sql`select s.id, ${values} as values from ${tables} where ${filter} and s.id > ${after} order by s.id limit 1000`,
  )
  const written = await writeWorkbook(path, {
    name: sheet.title[locale as Locale],
    columns,
    rows: cellsOf(lines, columns),
    onProgress: (done) => progress(done, total),
  })
  const labels = Object.values<{ label: Text }>(sheet.columns).map(({ label }) => label)
  return { rows: written, columns: [...labels, ...rest.map(({ label }) => label)] }
}

/** Reads all rows, a thousand at a time. */
async function* linesOf(db: Db, page: (after: number) => RawBuilder<unknown>): AsyncGenerator<Line> {
  const read = async (after: number) => (await page(after).$castTo<Line>().execute(db)).rows
  for await (const lines of batches(read, ({ id }) => id)) yield* lines
}

async function* cellsOf(
  lines: AsyncIterable<Line>,
  columns: readonly OutColumn[],
): AsyncGenerator<OutCell[]> {
  for await (const { values } of lines)
    yield columns.map(({ key }) => {
      const value = values[key]
      return Array.isArray(value) ? value.join('; ') : (value ?? null)
    })
}
