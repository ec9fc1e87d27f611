import type { AnswerOf } from '@portal/contracts/endpoint'
import { fillText, type Text } from '@portal/contracts/sentences'
import type { AnswerEffect, BankAnswer, bankFiles } from '@portal/contracts/transfers/bank-files'
import { WorkbookProblem } from '@portal/excel/limits'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, rows, type Tx, transaction } from '../../kit/database/db.ts'
import { type KeptUpload, keepUpload, recordUpload, type StoredUpload } from '../../kit/files/files.ts'
import { invalid } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { Context } from '../../kit/process/context.ts'
import { settleIn } from '../engine/settlement.service.ts'
import { takeAgency } from '../engine/take-agency.ts'
import { type BankReport, readPain002 } from '../iso20022/pain002.ts'
import { type Judged, judge, linesOf, type Ordered } from './bank-answer.ts'
import { say } from './bank-file.messages.ts'

type Uploaded = Omit<AnswerOf<typeof bankFiles.answer>, 'message'> & { message: Text }
type File = { id: number; agency_id: number; payroll_group_id: number }

/**
 * Reads what a bank answers to a file, and settles its payments (Money 7.10). The same answer is read once. Answers may
 * come in any order: a final state never changes, and what contradicts it becomes an exception (Money 4.8).
 */
export async function uploadBankAnswer(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  actor: Actor,
  upload: StoredUpload,
): Promise<Uploaded> {
  const report = await readReport(upload)
  const [file] = await rows(
    db,
    sql<File>`select id, agency_id, payroll_group_id from bank_files where message_id = ${report.message_id}`,
  )
  if (!file) throw invalid({ answer_file: fillText(say.noSuchFile, report.message_id) }, say.answerInvalid)
  const before = await findSame(db, file.id, upload)
  if (before) return before
  const kept = await keepUpload(storage, upload)
  return transaction(db, async (tx) => {
    await takeAgency(tx, file.agency_id)
    return (await findSame(tx, file.id, upload)) ?? settleBy(tx, actor, file, kept, report)
  })
}

async function readReport(upload: StoredUpload): Promise<BankReport> {
  try {
    return await readPain002(upload.path, new AbortController().signal)
  } catch (error) {
    if (error instanceof WorkbookProblem) throw invalid({ answer_file: error.problem }, say.answerInvalid)
    throw error
  }
}

async function findSame(db: Reader, fileId: number, { sha256 }: StoredUpload): Promise<Uploaded | null> {
  const { rows: found } = await sql<{ id: number }>`
    select id from bank_answers where bank_file_id = ${fileId} and sha256 = ${sha256.toString('hex')}`.execute(
    db,
  )
  return found[0] ? { message: say.sameAnswer, bank_answer: { id: found[0].id } } : null
}

async function settleBy(
  tx: Tx,
  actor: Actor,
  file: File,
  kept: KeptUpload,
  report: BankReport,
): Promise<Uploaded> {
  const ordered = await ordersOf(tx, file.id)
  const judged = linesOf(report, ordered.keys()).map((line) => judge(line, ordered.get(line.end_to_end_id)))
  await settleIn(
    tx,
    file.agency_id,
    judged.flatMap(({ settled }) => settled ?? []),
  )
  const after = await ordersOf(tx, file.id)
  const lines = judged.map((line) => ({ ...line, effect: effectOf(line, after) }))
  const { id } = await tx
    .insertInto('bank_answers')
    .values({
      bank_file_id: file.id,
      file_id: await recordUpload(tx, kept, actor.id),
      file_name: kept.name,
      sha256: kept.sha256.toString('hex'),
      user_id: actor.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const stored = lines.map(({ order, status, reason, effect, end_to_end_id }, index) => ({
    row: index + 1,
    end_to_end_id,
    attempt_id: order?.attempt_id ?? null,
    status,
    reason,
    effect,
  }))
  await sql`
    insert into bank_answer_lines (bank_answer_id, "row", end_to_end_id, attempt_id, status, reason, effect)
    select ${id}, l.* from json_to_recordset(${JSON.stringify(stored)}::json)
      as l ("row" int, end_to_end_id text, attempt_id bigint, status text, reason text, effect text)`.execute(
    tx,
  )
  const count = (effect: AnswerEffect) => lines.filter((line) => line.effect === effect).length
  const [paid, failed] = [count('paid'), count('failed')]
  await audit(tx, actor, 'bank answer uploaded', 'round', file.payroll_group_id, {
    new: { bank_file: file.id, bank_answer: id, paid, failed, payments: lines.length },
  })
  return { message: fillText(say.answered, paid, failed, lines.length - paid - failed), bank_answer: { id } }
}

/** The payments of a file by their name in it. Under the lock of the lease nobody else changes them. */
async function ordersOf(tx: Tx, fileId: number): Promise<Map<string, Ordered>> {
  const { rows: found } = await sql<Ordered & { end_to_end_id: string }>`
    select o.end_to_end_id, o.attempt_id, a.n, a.idempotency_key as key, a.state, p.amount
    from bank_file_payments o join payment_attempts a on a.id = o.attempt_id join transfer_payrolls p on p.id = a.payroll_id
    where o.bank_file_id = ${fileId} order by o.attempt_id`.execute(tx)
  return new Map(found.map(({ end_to_end_id, ...order }) => [end_to_end_id, order]))
}

/** What became of a line. A payment that its answer should have settled and did not is unknown: something did not agree. */
function effectOf({ effect, order, end_to_end_id }: Judged, after: Map<string, Ordered>): AnswerEffect {
  if ((effect !== 'paid' && effect !== 'failed') || !order) return effect
  const wanted = effect === 'paid' ? 'success' : 'failed'
  if (order.state === 'success' || order.state === 'failed')
    return order.state === wanted ? 'same' : 'contradicts'
  return after.get(end_to_end_id)?.state === wanted ? effect : 'differs'
}

/** The answers to the files of a round, newest first, each with the first lines that a person has to look at. */
export function listBankAnswers(db: Db, groupId: number): Promise<(BankAnswer & { bank_file_id: number })[]> {
  return rows(
    db,
    sql<BankAnswer & { bank_file_id: number }>`
      select r.id, r.bank_file_id, r.file_name, r.created_at,
        jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as "user", sums.*,
        array(select jsonb_build_object('end_to_end_id', l.end_to_end_id, 'status', l.status, 'reason', l.reason, 'effect', l.effect)
          from bank_answer_lines l where l.bank_answer_id = r.id and l.effect not in ('paid', 'failed', 'waiting', 'same')
          order by l."row" limit 20) as to_look_at
      from bank_answers r join bank_files b on b.id = r.bank_file_id join users u on u.id = r.user_id
      cross join lateral (
        select count(*) filter (where l.effect = 'paid') as paid, count(*) filter (where l.effect = 'failed') as failed,
          count(*) filter (where l.effect in ('waiting', 'same')) as unchanged,
          count(*) filter (where l.effect not in ('paid', 'failed', 'waiting', 'same')) as others
        from bank_answer_lines l where l.bank_answer_id = r.id
      ) sums
      where b.payroll_group_id = ${groupId} order by r.id desc`,
  )
}
