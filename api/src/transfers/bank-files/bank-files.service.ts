import { isDeepStrictEqual } from 'node:util'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { fill, fillText, type Locale, type Text } from '@portal/contracts/sentences'
import type { BankFile, BankFileCreate, bankFiles } from '@portal/contracts/transfers/bank-files'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { auditRead } from '../../kit/audit/reads.ts'
import { type Db, rows, type Tx, transaction } from '../../kit/database/db.ts'
import { FileAnswer, type KeptUpload, keepUpload, recordUpload } from '../../kit/files/files.ts'
import { conflict, fileDropped, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { Context } from '../../kit/process/context.ts'
import { fileConnector } from '../connectors/file.ts'
import { recordLine } from '../engine/payments.service.ts'
import { takeAgency } from '../engine/take-agency.ts'
import { listBankAnswers } from './bank-answers.service.ts'
import { say } from './bank-file.messages.ts'
import { barOf, payerOf, type Round, readRound } from './bank-file-round.ts'
import { fingerprint, pendingOrders, type WrittenFile, writeBankFile } from './bank-file-write.ts'

type Call = Pick<Context, 'db' | 'storage'>
type Made = Omit<AnswerOf<typeof bankFiles.create>, 'message'> & { message: Text }

/** The files of a round, newest first, and what the next one would have. */
export async function listBankFiles(
  db: Db,
  locale: Locale,
  groupId: number,
): Promise<AnswerOf<typeof bankFiles.list>> {
  const round = await readRound(db, groupId)
  const answers = await listBankAnswers(db, groupId)
  const made = await rows(
    db,
    sql<Omit<BankFile, 'answers'>>`
      select b.id, b.message_id, b.payments, b.amount, b.sha256, b.created_at, counts.*,
        jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as "user",
        case when f.dropped_at is null then '/storage/bank-files/' || b.id end as download_url
      from bank_files b join files f on f.id = b.file_id join users u on u.id = b.user_id
      cross join lateral (
        select count(*) filter (where a.state = 'sending') as sending, count(*) filter (where a.state = 'success') as success,
          count(*) filter (where a.state = 'failed') as failed, count(*) filter (where a.state = 'unknown') as unknown
        from bank_file_payments o join payment_attempts a on a.id = o.attempt_id where o.bank_file_id = b.id
      ) counts
      where b.payroll_group_id = ${groupId} order by b.id desc`,
  )
  const bank_files = made.map((file) => ({
    ...file,
    answers: answers.filter(({ bank_file_id }) => bank_file_id === file.id),
  }))
  const bar = barOf(round)
  const { payments, amount, agency_name: agency, details } = round
  const account = payerOf(details)?.account ?? ''
  const next = round.files ? { payments, amount, agency, account, barred: bar && fill(bar, locale) } : null
  return { bank_files, next }
}

/**
 * Makes the file of a round (Money 7.9). It is written and kept before the transaction begins, because a storage elsewhere
 * takes its time. The transaction then claims the payments and compares them with those of the file, so that either both
 * are there or none.
 */
export async function makeBankFile(
  { db, storage }: Call,
  actor: Actor,
  groupId: number,
  confirmed: BankFileCreate,
): Promise<Made> {
  const round = await readRound(db, groupId)
  if (!round.files) throw conflict(say.takesNoFiles)
  const before = round.payments === 0 ? await latestFile(db, groupId, confirmed) : null
  if (before) return before
  const bar = barOf(round)
  const payer = payerOf(round.details)
  if (bar || !payer) throw conflict(bar ?? say.payerMissing)
  if (confirmed.account !== undefined && confirmed.account !== payer.account) throw conflict(say.otherAccount)
  await sql`select leave_to_reporters(${groupId})`.execute(db)
  await transaction(db, (tx) => leaveStated(tx, round))
  const { payments, amount } = await readRound(db, groupId)
  if (payments !== confirmed.payments || amount !== confirmed.amount) throw conflict(say.changed)
  const purpose = `${round.cohort_name} ${round.n}`
  const file = await writeBankFile({ db, storage }, { group_id: groupId, payer, purpose })
  const kept = await keepUpload(storage, file)
  const line_id = await recordLine(db.pool, lineOf(round))
  return transaction(db, (tx) => claimInto(tx, actor, round, { ...kept, line_id }))
}

/**
 * A file that only a lost database knew may have paid some of the round. Payments whose order is on a statement of the
 * bank become unknown and are in no file: people settle them with evidence (Money 8.4). One that was written off or withheld while this
 * waited for its lock is left alone. Returns whether there were any.
 */
async function leaveStated(tx: Tx, { id, agency_id }: Round): Promise<boolean> {
  const { rows: stated } = await sql<{ id: number }>`
    with stated as materialized (
      select p.id, o.n from (${pendingOrders(id)}) o join transfer_payrolls p on p.id = o.id and p.status = 'pending'
      where exists (select from statement_lines l join agency_statements s on s.id = l.statement_id and s.state in ('open', 'closed')
        where l.agency_id = ${agency_id} and l.problem is null and l.reference = end_to_end_id(o.reference, o.n))
      order by p.id for no key update of p
    ), ordered as (
      insert into payment_attempts (payroll_id, n, state, first_asked, reason)
      select id, n, 'unknown', 'held', 'stated_before' from stated
      on conflict (payroll_id) where state <> 'failed'
      do update set state = excluded.state, first_asked = excluded.first_asked, reason = excluded.reason
    )
    update transfer_payrolls p set status = 'sending', updated_at = now() from stated where p.id = stated.id returning p.id`.execute(
    tx,
  )
  await sql`
    update transfer_payrolls set status = 'unknown', failure_reason = 'stated_before', updated_at = now()
    where id = any(${stated.map((each) => each.id)}::bigint[])`.execute(tx)
  return stated.length > 0
}

/** The address of the orders, as attempts record it. */
function lineOf({ agency_id, endpoint, details }: Round) {
  const { protocol, version, account } = fileConnector()
  return { agency_id, endpoint, account: account(details), protocol, version }
}

async function claimInto(
  tx: Tx,
  actor: Actor,
  round: Round,
  file: KeptUpload & WrittenFile & { line_id: number },
): Promise<Made> {
  await takeAgency(tx, round.agency_id)
  const { rows: same } = await sql<{ id: number }>`
    select id from bank_files where message_id = ${file.message_id} and payroll_group_id = ${round.id}`.execute(
    tx,
  )
  if (same[0]) return answer(say.madeBefore, same[0].id)
  // Nothing of a cohort that is being stopped is sent, so the round is read under this lock.
  await sql`select from transfer_cohorts where id = ${round.cohort_id} for share`.execute(tx)
  const again = await readRound(tx, round.id)
  const bar = barOf(again)
  if (bar) throw conflict(bar)
  // The cohort was moved to another agency meanwhile, or the paying account changed, which stands in the file.
  const samePayer = isDeepStrictEqual(payerOf(again.details), payerOf(round.details))
  if (again.agency_id !== round.agency_id || !samePayer) throw conflict(say.changed)
  // A statement was uploaded and compared while the file was written.
  if (await leaveStated(tx, round)) throw conflict(say.changed)
  const claimed = await claimAll(tx, again, file.line_id)
  if (claimed.fingerprint !== file.fingerprint || claimed.attempts.length !== file.payments)
    throw conflict(say.changed)
  const file_id = await recordUpload(tx, file, actor.id)
  const { message_id, payments, amount } = file
  const { id } = await tx
    .insertInto('bank_files')
    .values({
      payroll_group_id: round.id,
      agency_id: round.agency_id,
      message_id,
      payments,
      amount,
      file_id,
      sha256: file.sha256.toString('hex'),
      user_id: actor.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into bank_file_payments (attempt_id, bank_file_id, end_to_end_id)
    select a.id, ${id}, end_to_end_id(p.reference, a.n)
    from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
    where a.id = any(${claimed.attempts}::bigint[])`.execute(tx)
  await audit(tx, actor, 'bank file made', 'round', round.id, {
    new: { bank_file: id, message_id, payments, amount, sha256: file.sha256.toString('hex') },
  })
  return answer(fillText(say.made, file.payments), id)
}

/** Turns all payments of the round that the file has into sent ones, each with its attempt (Money 4.1). */
async function claimAll(tx: Tx, round: Round, lineId: number) {
  const { rows: claimed } = await sql<{ fingerprint: string; attempts: number[] }>`
    with orders as materialized (${pendingOrders(round.id)}), picked as (
      select p.id from transfer_payrolls p
      where p.payroll_group_id = ${round.id} and p.status = 'pending' and p.id in (select o.id from orders o)
      order by p.id for no key update
    ), p as (
      update transfer_payrolls p set status = 'sending', updated_at = now() from picked where p.id = picked.id returning p.id
    ), a as (
      insert into payment_attempts (payroll_id, n, state, tries, agency_id, line_id, sent_at)
      select p.id, o.n, 'sending', 1, ${round.agency_id}, ${lineId}, now() from p join orders o on o.id = p.id
      on conflict (payroll_id) where state <> 'failed'
      do update set state = 'sending', tries = payment_attempts.tries + 1, ask_at = null, line_id = excluded.line_id,
        sent_at = excluded.sent_at
      returning id, payroll_id
    )
    select coalesce((select ${fingerprint} from orders o), '') as fingerprint, array(select id from a order by id) as attempts
  `.execute(tx)
  return claimed[0] ?? { fingerprint: '', attempts: [] }
}

/** The file that was just made of these sums: what the second of two people who press at the same time gets. */
async function latestFile(
  db: Db,
  groupId: number,
  { payments, amount }: BankFileCreate,
): Promise<Made | null> {
  const [found] = await rows(
    db,
    sql<{ id: number }>`
      select id from bank_files where payroll_group_id = ${groupId} and payments = ${payments} and amount = ${amount}
        and created_at > now() - interval '1 minute' order by id desc limit 1`,
  )
  return found ? answer(say.madeBefore, found.id) : null
}

const answer = (message: Text, id: number): Made => ({
  message,
  bank_file: { id, download_url: `/storage/bank-files/${id}` },
})

/** The content of a file as it was made. */
export async function readBankFile({ db, storage }: Call, actor: Actor, id: number): Promise<FileAnswer> {
  const [found] = await rows(
    db,
    sql<{ payroll_group_id: number; key: string; name: string; type: string; dropped: boolean }>`
      select b.payroll_group_id, f.key, f.name, f.type, f.dropped_at is not null as dropped
      from bank_files b join files f on f.id = b.file_id where b.id = ${id}`,
  )
  if (!found) throw notFound()
  if (found.dropped) throw fileDropped()
  await auditRead(db, actor, 'downloaded', 'round', found.payroll_group_id, { bank_file: id })
  return new FileAnswer(await storage.read(found.key), found.name, found.type)
}
