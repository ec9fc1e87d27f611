import { sentence } from '@portal/contracts/imports/import-sentences'
import type { SheetRow } from '@portal/contracts/imports/sheet'
import { feesOf } from '@portal/contracts/transfers/rounds'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { type RawBuilder, sql } from 'kysely'
import { giveNotice } from '../../home/notices.service.ts'
import { notify } from '../../home/notifications.service.ts'
import { registerImport } from '../../imports/import-domains.service.ts'
import { of } from '../../imports/import-parts.service.ts'
import { ImportEnded } from '../../imports/import-write.service.ts'
import type { CheckedRow, Fault, OpenImport, Opening, TaskRow } from '../../imports/imports.service.ts'
import type { Reader, Tx } from '../../kit/database/db.ts'
import { findStudents } from '../../registers/students.service.ts'
import { mayNotDecide } from '../decisions/may-not-decide.service.ts'
import { say } from '../messages.ts'
import { cohortPage } from '../pages.ts'
import { removeCohortOf } from './cohort-upload.service.ts'
import { checkTargetRow, type TargetRules } from './target-list.import.ts'

type Terms = TargetRules & { cohort_id: number; name: string; hundredths: number }

/** Registers the import of target lists (Imports 4.1, Imports 4.2). */
export function registerTargetListImport() {
  registerImport({
    kind: 'target-list',
    permission: 'cohorts.create',
    async sheet(db, params, importId) {
      // If the cohort was deleted with its import, the sheet for a bank is the default, because it has every column.
      const { rows } = await sql<{ type: TargetRules['type'] }>`
        select a.type from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id where c.import_id = ${importId}
      `.execute(db)
      return targetListSheet(rows[0]?.type ?? (params.type as TargetRules['type'] | undefined) ?? 'bank')
    },
    open,
    findStudents,
    undo: removeCohortOf,
  })
}

async function open({ db, settings }: Opening, task: TaskRow): Promise<OpenImport> {
  const terms = await readTerms(db, task, settings.maxAmount)
  return {
    sheet: targetListSheet(terms.type),
    check: (reader, rows) => checkRows(reader, rows, terms),
    // There is no `stored`, because no row of a target list has an earlier version.
    spoilt: recodedStudents,
    insert: (tx, part) => insertEntries(tx, terms, part),
    refusal: async (_db, counts) => (counts.new === 0 ? say.nothingAccepted : null),
    subject: { type: 'cohort', id: terms.cohort_id },
    nothing: say.noRowAccepted,
    finish: (tx) => finish(tx, task, terms, settings.fourEyes),
  }
}

async function readTerms(db: Reader, task: TaskRow, maxAmount: number): Promise<Terms> {
  const { rows } = await sql<Terms>`
    select c.id as cohort_id, c.name, a.type, agency_takes_files(a.protocol) as files, a.country, p.amount as "defaultAmount", p.commission_hundredths as hundredths,
      ${maxAmount}::bigint as "maxAmount"
    from transfer_cohorts c
    join transfer_agencies a on a.id = c.transfer_agency_id
    join transfer_parameters p on p.id = c.transfer_parameter_id
    where c.import_id = ${task.id}`.execute(db)
  if (!rows[0]) throw new ImportEnded(`the cohort of import ${task.id} is gone`)
  return rows[0]
}

async function checkRows(db: Reader, rows: SheetRow[], terms: Terms): Promise<CheckedRow[]> {
  const checked = rows.map((row) => rowOf(row, terms))
  const students = await idsOf(
    db,
    checked.flatMap(({ key }) => key ?? []),
  )
  for (const { key, errors, rest } of checked) {
    if (key === undefined) continue
    const student_id = students.get(key)
    if (student_id === undefined)
      errors.push({ column: 'student_code', value: key, message: sentence('student_unknown', key) })
    else rest.student_id = student_id
  }
  return checked
}

function rowOf({ row, cells }: SheetRow, terms: Terms): CheckedRow {
  const base = { row, cells, keyColumn: 'student_code', errors: [] }
  const checked = checkTargetRow(cells, terms)
  if ('errors' in checked)
    return { ...base, key: checked.student_code, values: {}, rest: {}, errors: [...checked.errors] }
  const { entry } = checked
  const values = Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, value === null ? null : String(value)]),
  )
  return { ...base, key: entry.student_code, values, rest: { fees: feesOf(entry.amount, terms.hundredths) } }
}

async function idsOf(db: Reader, codes: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ student_code: string; id: number }>`
    select student_code, id from students where student_code = any(${codes}::text[])`.execute(db)
  return new Map(rows.map(({ student_code, id }) => [student_code, id]))
}

/** A student's code may be corrected, or go to another one, after a row with it was read (Imports 4.2). */
async function recodedStudents(tx: Tx, importId: number): Promise<Map<number, Fault>> {
  const { rows } = await sql<{ row: number; value: string; known: boolean }>`
    select p."row", p.key as value, s.id is not null as known
    from import_rows p left join students s on s.student_code = p.key
    where p.import_id = ${importId} and p.kind = 'new' and s.id is distinct from (${of('student_id')})::bigint`.execute(
    tx,
  )
  return new Map(
    rows.map(({ row, value, known }) => [
      row,
      {
        column: 'student_code',
        value,
        message: sentence(known ? 'student_recoded' : 'student_unknown', value),
      },
    ]),
  )
}

async function insertEntries(tx: Tx, { cohort_id }: Terms, part: RawBuilder<unknown>) {
  await sql`
    insert into transfer_master_list (cohort_id, "row", receiver_first_name, receiver_last_name, receiver_phone_number,
      receiver_account, receiver_bank, student_id, student_code, amount, fees)
    select ${cohort_id}, p."row", ${of('receiver_first_name')}, ${of('receiver_last_name')}, ${of('receiver_phone_number')},
      ${of('receiver_account')}, ${of('receiver_bank')}, (${of('student_id')})::bigint, ${of('student_code')},
      (${of('amount')})::bigint, (${of('fees')})::bigint
    from ${part} order by p."row"`.execute(tx)
}

async function finish(tx: Tx, task: TaskRow, { cohort_id, name }: Terms, fourEyes: boolean): Promise<void> {
  await sql`
    update transfer_cohorts c set imported_at = now(), list_hash = transfer_list_hash(c.id), master_list_count = l.n,
      list_amount = l.amount, list_fees = l.fees
    from (select count(*) as n, sum(amount) as amount, sum(fees) as fees from transfer_master_list where cohort_id = ${cohort_id}) l
    where c.id = ${cohort_id}`.execute(tx)
  const link = cohortPage(cohort_id)
  await notify(tx, [task.user_id], say.importFinished, [name], link)
  await giveNotice(tx, 'cohort-to-approve', {
    subject: cohort_id,
    link,
    occasion: 'imported',
    parts: [name],
    by: task.user_id,
    except: await mayNotDecide(tx, { what: 'cohort', id: cohort_id, cohort_id }, fourEyes),
  })
}
