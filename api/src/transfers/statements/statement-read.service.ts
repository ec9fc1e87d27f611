import type { Country } from '@portal/contracts/fields'
import type { ChosenHeadings } from '@portal/contracts/imports/sheet'
import { say as sentence, type Text } from '@portal/contracts/sentences'
import type { StatementFormat } from '@portal/contracts/transfers/statements'
import { WorkbookProblem } from '@portal/excel/limits'
import { sql } from 'kysely'
import { type Db, type Tx, transaction } from '../../kit/database/db.ts'
import { isLost } from '../../kit/http/refusals.ts'
import { isUnderWay, work } from '../../kit/jobs/jobs.ts'
import type { Context } from '../../kit/process/context.ts'
import { tellOfDecision } from '../decisions/decision-reminders.service.ts'
import type { Line } from '../iso20022/statement-line.ts'
import { say } from './statement.messages.ts'
import { readStatement } from './statement-file.ts'
import { matchLines } from './statement-match.service.ts'
import { markReturned, settleByLines } from './statement-settle.service.ts'
import { statementJob } from './statement-upload.service.ts'

type Task = {
  id: number
  fence: number
  format: StatementFormat
  user_id: number
  agency_id: number
  agency_name: string
  country: Country
  file_key: string
  headings: ChosenHeadings | null
}

/** The statement was withdrawn, or another worker has taken it over. */
class StatementEnded extends Error {}

/** Lines stored per transaction. */
const storedAtOnce = 1000

/** Registers the job that reads and compares statements, one at a time. */
export function workStatements(context: Context) {
  work<{ id: number }>(statementJob, (data, signal, last) => runStatement(context, data.id, signal, last))
}

/** Ends the statements whose worker was killed on the last try, because nobody reads them again. */
export function failLostStatements(db: Db): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      update agency_statements s set state = 'failed', problem = ${JSON.stringify(say.broken)}::jsonb, fence = s.fence + 1
      where s.state in ('queued', 'reading') and not ${isUnderWay([statementJob], sql`s.id`)} returning s.id`.execute(
      tx,
    )
    const lost = rows.map(({ id }) => id)
    await sql`delete from statement_lines where statement_id = any(${lost}::bigint[])`.execute(tx)
  })
}

/** Reads the lines of a statement and compares them. After a crash the job runs again and starts over. */
async function runStatement(context: Context, id: number, signal: AbortSignal, last: boolean): Promise<void> {
  const { db } = context
  const { rows } = await sql<Task>`
    update agency_statements s set state = 'reading', fence = s.fence + 1, lines_read = 0
    from transfer_agencies a, files f
    where s.id = ${id} and s.state in ('queued', 'reading') and a.id = s.agency_id and f.id = s.file_id
    returning s.id, s.fence, s.format, s.user_id, s.agency_id, a.name as agency_name, a.country, f.key as file_key,
      (select m.headings from statement_mappings m where m.id = s.mapping_id) as headings`.execute(db)
  const task = rows[0]
  if (!task) return
  try {
    const store = (path: string) => storeLines(db, path, task, signal)
    const read = await context.storage.withFile(task.file_key, store)
    if (read === 0) return await fail(db, task, task.format === 'camt' ? say.noPayments : say.noLines)
    await compare(context, task)
  } catch (error) {
    if (error instanceof StatementEnded) return
    if (error instanceof WorkbookProblem)
      return fail(db, task, { en: sentence(error.problem, 'en'), fr: sentence(error.problem, 'fr') })
    if (isLost(error)) return fail(db, task, error.text)
    if (last) await fail(db, task, say.broken)
    throw error
  }
}

async function storeLines(db: Db, path: string, task: Task, signal: AbortSignal): Promise<number> {
  await transaction(db, async (tx) => {
    await stillOurs(tx, task, sql`lines_read = 0`)
    await sql`delete from statement_lines where statement_id = ${task.id}`.execute(tx)
  })
  let read = 0
  let lines: Line[] = []
  const flush = async () => {
    const batch = lines
    lines = []
    await transaction(db, async (tx) => {
      await stillOurs(tx, task, sql`lines_read = ${read}`)
      await sql`
        insert into statement_lines (statement_id, agency_id, "row", reference, transaction_id, number, name, amount, minus, fee, day, problem)
        select ${task.id}, ${task.agency_id}, l.* from json_to_recordset(${JSON.stringify(batch)}::json)
          as l ("row" int, reference text, transaction_id text, number text, name text, amount bigint, minus boolean, fee bigint, day date, problem text)
      `.execute(tx)
    })
  }
  const { format, headings, country } = task
  for await (const batch of readStatement(path, format, headings ?? undefined, country, signal)) {
    lines.push(...batch)
    read += batch.length
    if (lines.length >= storedAtOnce) await flush()
  }
  if (lines.length > 0) await flush()
  return read
}

function compare({ db, settings }: Pick<Context, 'db' | 'settings'>, task: Task): Promise<void> {
  return transaction(db, async (tx) => {
    await stillOurs(tx, task, sql`fence = ${task.fence}`)
    await markReturned(tx, task.id)
    await settleByLines(tx, task.agency_id, task.id)
    const { repeated, open } = await matchLines(tx, task.id)
    await stillOurs(tx, task, sql`state = 'open', lines_repeated = ${repeated}`)
    if (open === 0)
      await tellOfDecision(
        tx,
        { what: 'statement', id: task.id, name: task.agency_name, by: task.user_id, page: task.id },
        settings.fourEyes,
      )
  })
}

/** Updates the statement under its fencing token, and throws if it is no longer this worker's. */
async function stillOurs(tx: Tx, task: Task, set: ReturnType<typeof sql>) {
  const { numAffectedRows } = await sql`
    update agency_statements set ${set} where id = ${task.id} and fence = ${task.fence} and state = 'reading'
  `.execute(tx)
  if (!numAffectedRows) throw new StatementEnded(`statement ${task.id} has ended`)
}

function fail(db: Db, task: Task, problem: Text): Promise<void> {
  return transaction(db, async (tx) => {
    const { numAffectedRows } = await sql`
      update agency_statements set state = 'failed', problem = ${JSON.stringify(problem)}::jsonb
      where id = ${task.id} and fence = ${task.fence} and state = 'reading'`.execute(tx)
    if (numAffectedRows) await sql`delete from statement_lines where statement_id = ${task.id}`.execute(tx)
  })
}
