import { createHash } from 'node:crypto'
import { sentence } from '@portal/contracts/import-sentences'
import { feesOf } from '@portal/contracts/rounds'
import { type TargetColumn, targetListSheet } from '@portal/contracts/target-list.sheet'
import { sql } from 'drizzle-orm'
import { readRows } from '../excel/read.ts'
import { KeyedRows } from '../excel/rows.ts'
import { notify, notifyHolders } from '../home/notifications.service.ts'
import {
  failImport,
  ImportEnded,
  progressOf,
  type RefusedCell,
  writeRefused,
} from '../imports/import-run.service.ts'
import { registerImport, type TaskRow } from '../imports/imports.service.ts'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { type Db, type Tx, transaction } from '../kit/db.ts'
import { portal } from '../kit/session.ts'
import { say } from './messages.ts'
import { checkTargetRow, type TargetEntry, type TargetRules } from './target-list.import.ts'

type CohortTerms = TargetRules & { cohort_id: number; name: string; hundredths: number; file_key: string }
type Accepted = TargetEntry & { row: number; student_id: number }
type Sorted = {
  accepted: Accepted[]
  refused: RefusedCell[]
  rejectedRows: number
  duplicates: number
  read: number
}

/** Registers the import of target lists (decisions 5.1, 5.2). */
export function registerTargetListImport() {
  registerImport({
    kind: 'target-list',
    permission: 'cohorts.create',
    sheet: async (db, task) => targetListSheet((await readTerms(db, task, 0)).type),
    run,
    undo,
  })
}

async function readTerms(db: Db, task: TaskRow, maxAmount: number): Promise<CohortTerms> {
  const { rows } = await db.execute<CohortTerms>(sql`
    select c.id as cohort_id, c.name, a.type, a.country, p.amount as "defaultAmount", p.commission_hundredths as hundredths,
      f.key as file_key, ${maxAmount}::bigint as "maxAmount"
    from imports i join files f on f.id = i.file_id
    join transfer_cohorts c on c.import_id = i.id
    join transfer_agencies a on a.id = c.transfer_agency_id
    join transfer_parameters p on p.id = c.transfer_parameter_id
    where i.id = ${task.id}`)
  if (!rows[0]) throw new ImportEnded(`the cohort of import ${task.id} is gone`)
  return rows[0]
}

async function run(context: Context, task: TaskRow, signal: AbortSignal): Promise<void> {
  const { db, storage } = context
  const terms = await readTerms(db, task, context.settings.maxAmount)
  const sorted = await sortRows(db, await storage.path(terms.file_key), task, terms, signal)
  signal.throwIfAborted()
  if (sorted.accepted.length === 0) {
    await transaction(db, (tx) => writeRefused(tx, task.id, sorted.refused))
    await failImport(db, task, sorted.read === 0 ? say.fileEmpty : say.noRowAccepted)
    return
  }
  await db.execute(sql`update imports set state = 'importing' where id = ${task.id} and state = 'reading'`)
  await transaction(db, async (tx) => {
    await writeRefused(tx, task.id, sorted.refused)
    await writeList(db, tx, task, terms, sorted.accepted)
    await finish(tx, task, terms, sorted)
  })
}

/** Reads the whole file and sorts its rows; what is accepted is some tens of bytes a row. */
async function sortRows(
  db: Db,
  path: string,
  task: TaskRow,
  terms: CohortTerms,
  signal: AbortSignal,
): Promise<Sorted> {
  const tell = progressOf(db, task.id)
  const keys = new KeyedRows()
  const accepted = new Map<number, Accepted>()
  const refused: RefusedCell[] = []
  const counts = { rows_read: 0, rows_rejected: 0, rows_duplicate: 0 }
  const { label } = targetListSheet(terms.type).columns.student_code
  const refuse = (row: number, cells: RowFault[]) => {
    for (const cell of cells) refused.push({ row, ...cell })
  }
  for await (const batch of readRows(path, targetListSheet(terms.type), { signal })) {
    const checked = batch.map(({ row, cells }) => ({ row, ...rowOf(checkTargetRow(cells, terms)) }))
    const students = await findStudents(
      db,
      checked.flatMap(({ code }) => code ?? []),
    )
    for (const { row, code, entry, values, errors } of checked) {
      const student_id = students.get(code ?? '')
      if (code !== undefined && student_id === undefined)
        errors.push({ column: 'student_code', value: code, message: sentence('student_unknown', code) })
      // A row that is wrong by itself still stands against another row of its student: neither may be guessed right.
      const verdict = code === undefined ? { kind: 'first' as const } : keys.add(code, row, values)
      if (verdict.kind === 'duplicate') {
        counts.rows_duplicate += 1
        continue
      }
      if (verdict.kind === 'conflict') {
        const clash = (other: number) => ({
          column: 'student_code' as const,
          value: code ?? null,
          message: sentence('row_conflict', other, label.en, label.fr),
        })
        errors.push(clash(verdict.row))
        if (verdict.takeBack) refuse(verdict.row, [clash(row)])
        if (accepted.delete(verdict.row)) counts.rows_rejected += 1
      }
      if (entry && student_id !== undefined && errors.length === 0) {
        accepted.set(row, { ...entry, row, student_id })
        continue
      }
      counts.rows_rejected += 1
      refuse(row, errors)
    }
    counts.rows_read += batch.length
    await tell(counts)
  }
  await tell(counts, true)
  return {
    accepted: [...accepted.values()],
    refused,
    rejectedRows: counts.rows_rejected,
    duplicates: counts.rows_duplicate,
    read: counts.rows_read,
  }
}

type RowFault = { column: TargetColumn; value: string | null; message: string }

function rowOf(checked: ReturnType<typeof checkTargetRow>) {
  if ('entry' in checked) {
    const { entry } = checked
    return { code: entry.student_code, entry, values: Object.values(entry), errors: [] as RowFault[] }
  }
  return {
    code: checked.student_code,
    entry: null,
    values: ['refused', ...checked.values],
    errors: [...checked.errors] as RowFault[],
  }
}

async function findStudents(db: Db, codes: string[]): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ student_code: string; id: number }>(
    sql`select student_code, id from students where student_code = any(${sql.param(codes)}::text[])`,
  )
  return new Map(rows.map(({ student_code, id }) => [student_code, id]))
}

async function writeList(
  db: Db,
  tx: Tx,
  task: TaskRow,
  terms: CohortTerms,
  accepted: Accepted[],
): Promise<void> {
  const list = <K extends keyof Accepted>(part: Accepted[], key: K) =>
    sql.param(part.map((entry) => entry[key]))
  for (let from = 0; from < accepted.length; from += 5000) {
    const part = accepted.slice(from, from + 5000)
    const fees = sql.param(part.map((entry) => feesOf(entry.amount, terms.hundredths)))
    await tx.execute(sql`
      insert into transfer_master_list (cohort_id, "row", receiver_first_name, receiver_last_name, receiver_phone_number,
        receiver_account, receiver_bank, student_id, student_code, amount, fees)
      select ${terms.cohort_id}, * from unnest(${list(part, 'row')}::int[], ${list(part, 'receiver_first_name')}::text[],
        ${list(part, 'receiver_last_name')}::text[], ${list(part, 'receiver_phone_number')}::text[], ${list(part, 'receiver_account')}::text[],
        ${list(part, 'receiver_bank')}::text[], ${list(part, 'student_id')}::bigint[], ${list(part, 'student_code')}::text[],
        ${list(part, 'amount')}::bigint[], ${fees}::bigint[])`)
    // Told outside the transaction: whoever watches sees the count grow, nobody sees half a list.
    const { rowCount } = await db.execute(
      sql`update imports set rows_new = ${from + part.length} where id = ${task.id} and state = 'importing'`,
    )
    if (!rowCount) throw new ImportEnded(`import ${task.id} was cancelled`)
  }
}

async function finish(tx: Tx, task: TaskRow, terms: CohortTerms, sorted: Sorted): Promise<void> {
  const { rowCount } = await tx.execute(sql`
    update imports set state = 'imported', rows_read = ${sorted.read}, rows_new = ${sorted.accepted.length},
      rows_rejected = ${sorted.rejectedRows}, rows_duplicate = ${sorted.duplicates}, finished_at = now()
    where id = ${task.id} and state = 'importing'`)
  if (!rowCount) throw new ImportEnded(`import ${task.id} was cancelled`)
  const hash = createHash('sha256')
  for (const entry of sorted.accepted) hash.update(`${JSON.stringify(Object.values(entry))}\n`)
  await tx.execute(sql`
    update transfer_cohorts c set imported_at = now(), list_hash = ${hash.digest('hex')}, master_list_count = l.n,
      list_amount = l.amount, list_fees = l.fees
    from (select count(*) as n, sum(amount) as amount, sum(fees) as fees from transfer_master_list where cohort_id = ${terms.cohort_id}) l
    where c.id = ${terms.cohort_id}`)
  const counts = {
    rows: sorted.accepted.length,
    rejected: sorted.rejectedRows,
    duplicates: sorted.duplicates,
  }
  await audit(tx, { ...portal, id: task.user_id }, 'imported', 'cohort', terms.cohort_id, {
    old: null,
    new: counts,
  })
  const link = `/admin/transfers/cohorts/${terms.cohort_id}/summary`
  await notify(tx, [task.user_id], say.importFinished, [terms.name], link)
  await notifyHolders(tx, 'cohorts.approve', say.newCohort, [terms.name], link)
}

/** A cohort whose import failed or was cancelled is removed with it (decisions 5.1). */
async function undo(tx: Tx, importId: number): Promise<void> {
  const gone = sql`select id from transfer_cohorts where import_id = ${importId} and imported_at is null`
  await tx.execute(sql`delete from transfer_master_list where cohort_id in (${gone})`)
  await tx.execute(sql`delete from transfer_cohorts where import_id = ${importId} and imported_at is null`)
}
