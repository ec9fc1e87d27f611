import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type {
  EvidenceLine,
  paymentSettlements,
  SettlementDecision,
  SettlementProposal,
  WaitingSettlement,
} from '@portal/contracts/transfers/payment-settlements'
import { type RawBuilder, sql } from 'kysely'
import { giveNotice, withdrawNotices } from '../../home/notices.service.ts'
import { audit } from '../../kit/audit/audit.ts'
import { auditRead } from '../../kit/audit/reads.ts'
import { type Db, rows, type Tx, transaction } from '../../kit/database/db.ts'
import { paged } from '../../kit/database/paging.ts'
import type { AcceptedFile } from '../../kit/files/document-file.ts'
import { FileAnswer, recordUpload } from '../../kit/files/files.ts'
import {
  conflict,
  constraintFault,
  fileDropped,
  forbidden,
  invalid,
  notFound,
} from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { Context } from '../../kit/process/context.ts'
import { aboutKind } from '../../modules/module-links.service.ts'
import { mayNotDecide } from '../decisions/may-not-decide.service.ts'
import { isDoubted, isHeld, isOverdue, isPaidAfterAll, isSettling } from './failed-payments.service.ts'
import { type ActedOn, refusalOf } from './payment-acts.ts'
import { say } from './payment-settlement.messages.ts'
import { writeOffBar } from './write-off.service.ts'

constraintFault('payment_settlements_shows', 'line_id', say.lineDiffers)
constraintFault('payment_settlements_line', 'line_id', say.lineTaken)
constraintFault('payment_settlements_stated', 'outcome', say.stated)
// Between proposal and approval another payment got the transaction of the line.
constraintFault('payment_attempts_transaction', 'line_id', say.lineDiffers)

/** The notice to whoever may approve. It is withdrawn with the decision. */
const waits = 'payment-to-settle'

type Proposal = Omit<SettlementProposal, 'file'> & { file: AcceptedFile | undefined }
type Payment = ActedOn & {
  payroll_group_id: number
  cohort_id: number
  cohort_name: string
  attempt_id: number | null
}

/**
 * Proposes what became of a payment whose outcome is open, with evidence (Money 4.18). Nothing changes until a second person
 * approves it, but the order is not sent again any more.
 */
export async function proposeSettlement(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  paymentId: number,
  { outcome, line_id, file, reason }: Proposal,
): Promise<void> {
  if (outcome === 'not_paid' && line_id) throw invalid({ file: say.documentNeeded })
  if (Boolean(line_id) === Boolean(file)) throw invalid({ file: say.evidenceNeeded })
  await transaction(db, async (tx) => {
    const payment = await lockPayment(tx, sql`p.id = ${paymentId}`)
    const why = refusalOf('settle', payment)
    if (why || payment.attempt_id === null) throw conflict(why ?? say.answered)
    const document = file && (await recordUpload(tx, file, actor.id))
    const { rows: made } = await sql<{ id: number }>`
      insert into payment_settlements (attempt_id, outcome, reason, line_id, document_id, user_id)
      values (${payment.attempt_id}, ${outcome}, ${reason}, ${line_id ?? null}, ${document ?? null}, ${actor.id}) returning id
    `.execute(tx)
    const settlement = made[0]?.id ?? 0
    // The reason is in the row of the settlement only, where it is erased with the person (Access 7).
    await audit(tx, actor, 'settlement proposed', 'payment', paymentId, {
      new: { settlement, outcome, evidence: line_id ? 'line' : 'document' },
    })
    await giveNotice(tx, waits, {
      subject: payment.payroll_group_id,
      link: aboutKind('record.payroll', payment.payroll_group_id),
      occasion: String(settlement),
      parts: [payment.cohort_name],
      by: actor.id,
      except: await mayNotDecide(
        tx,
        { what: 'settlement', id: settlement, cohort_id: payment.cohort_id },
        fourEyes,
      ),
    })
  })
}

/** Approves or refuses a settlement. Only the approval needs a second person; a trigger then settles the payment. */
export function decideSettlement(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  id: number,
  { action }: SettlementDecision,
): Promise<Text> {
  return transaction(db, async (tx) => {
    const { rows: found } = await sql<{ attempt_id: number; payroll_id: number }>`
      select s.attempt_id, a.payroll_id from payment_settlements s join payment_attempts a on a.id = s.attempt_id
      where s.id = ${id}`.execute(tx)
    if (!found[0]) throw notFound()
    const { attempt_id, payroll_id } = found[0]
    const payment = await lockPayment(tx, sql`p.id = ${payroll_id}`)
    const { rows: locked } = await sql<{ state: string; outcome: string; user_id: number; asked: boolean }>`
      select state, outcome, user_id, settlement_is_asked(attempt_id, asked, created_at) as asked
      from payment_settlements where id = ${id} for update`.execute(tx)
    const settlement = locked[0]
    if (settlement?.state === 'answered') throw conflict(say.answered)
    if (settlement?.state !== 'proposed') throw conflict(say.decided)
    if (action === 'approved') {
      if (settlement.user_id === actor.id) throw forbidden(say.own)
      const bar = await writeOffBar(tx, actor, payment.cohort_id, fourEyes)
      if (bar) throw bar.kind === 'person' ? forbidden(bar.text) : conflict(bar.text)
      if (payment.attempt_id !== attempt_id) throw conflict(say.answered)
      if (!settlement.asked) throw conflict(say.stillAsked)
    }
    await sql`
      update payment_settlements set state = ${action}, decided_by = ${actor.id}, decided_at = now() where id = ${id}
    `.execute(tx)
    await audit(tx, actor, `settlement ${action}`, 'payment', payroll_id, {
      new: { settlement: id, outcome: settlement.outcome },
    })
    await withdrawNotices(tx, waits, String(id))
    if (action === 'refused') return say.refused
    return settlement.outcome === 'paid' ? say.approvedPaid : say.approvedNotPaid
  })
}

/** Takes a settlement back before it is decided. Its row says that its own proposer refused it. */
export function withdrawSettlement(db: Db, actor: Actor, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows: found } = await sql<{ payroll_id: number; user_id: number }>`
      select a.payroll_id, s.user_id from payment_settlements s join payment_attempts a on a.id = s.attempt_id
      where s.id = ${id}`.execute(tx)
    if (!found[0]) throw notFound()
    const { payroll_id, user_id } = found[0]
    if (user_id !== actor.id) throw forbidden(say.notOwn)
    await lockPayment(tx, sql`p.id = ${payroll_id}`)
    const { rows: withdrawn } = await sql<{ outcome: string }>`
      update payment_settlements set state = 'refused', decided_by = ${actor.id}, decided_at = now()
      where id = ${id} and state = 'proposed' returning outcome`.execute(tx)
    if (!withdrawn[0]) throw conflict(say.decided)
    const { outcome } = withdrawn[0]
    await audit(tx, actor, 'settlement withdrawn', 'payment', payroll_id, {
      new: { settlement: id, outcome },
    })
    await withdrawNotices(tx, waits, String(id))
  })
}

/**
 * Locks the lease of the payment's agency, so that no worker writes an answer meanwhile, then its cohort, and returns the
 * payment with its attempt that is open.
 */
async function lockPayment(tx: Tx, which: RawBuilder<unknown>): Promise<Payment> {
  const found = await sql<{ locked: unknown }>`
    select settlement_locks(a.id) as locked from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id
    where ${which} order by a.id desc limit 1`.execute(tx)
  const { rows: cohort } = await sql`
    select from transfer_cohorts where id = (
      select g.cohort_id from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id where ${which})
    for update`.execute(tx)
  if (cohort.length === 0) throw notFound()
  if (found.rows.length === 0) throw conflict(say.answered)
  const { rows: payments } = await sql<Payment>`
    select p.payroll_group_id, g.cohort_id, c.name as cohort_name, p.status, p.written_off_at is not null as written_off,
      ${isDoubted(sql`p.id`)} as doubted, ${isPaidAfterAll(sql`p.id`)} as paid_after_all, false as correcting,
      ${isHeld(sql`p.master_list_id`)} as held, p.withheld_at is not null as withheld, ${isOverdue(sql`p.id`)} as overdue,
      ${isSettling(sql`p.id`)} as settling,
      (select a.id from payment_attempts a where a.payroll_id = p.id and attempt_is_overdue(a.id)) as attempt_id
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id where ${which}`.execute(tx)
  return payments[0] as Payment
}

/** SQL: a line `l` of statement `s`, as a person sees it. */
const lineObject = sql`jsonb_build_object('id', l.id, 'statement_id', s.id, 'file_name', s.file_name, 'row', l."row",
  'reference', l.reference, 'transaction_id', l.transaction_id, 'number', l.number, 'name', l.name, 'amount', l.amount, 'day', l.day)`

/**
 * Lines of statements without a payment that can show that this one was made: of its agency and amount, and with its
 * reference, its number or no number. Those that name it come first.
 */
export async function listEvidence(db: Db, actor: Actor, paymentId: number): Promise<EvidenceLine[]> {
  const payment = await rows(db, sql`select from transfer_payrolls where id = ${paymentId}`)
  if (payment.length === 0) throw notFound()
  const found = await rows(
    db,
    sql<{ line: EvidenceLine }>`
      select ${lineObject} as line
      from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id and a.state in ('sending', 'unknown')
        join transfer_agencies o on o.id = a.agency_id join statement_lines l on l.agency_id = a.agency_id and l.amount = p.amount and l.problem is null
        join agency_statements s on s.id = l.statement_id and s.state in ('open', 'closed')
        join statement_findings f on f.line_id = l.id and f.category = 'theirs'
      where p.id = ${paymentId} and (f.payroll_id = p.id or f.payroll_id is null
          and (l.number is null or account_form(l.number) = account_form(number_at(o.type, p.receiver_phone_number, p.receiver_account))))
        and not exists (select from payment_settlements n where n.line_id = l.id and n.state in ('proposed', 'approved'))
      order by f.payroll_id nulls last, l.number nulls last, l.id desc limit 20`,
  )
  await auditRead(db, actor, 'opened', 'payment', paymentId)
  return found.map(({ line }) => line)
}

type Row = Omit<WaitingSettlement, 'barred' | 'own'> & { cohort_id: number; user_id: number; asked: boolean }

/** Lists the settlements that wait for a second person, with what keeps the reader from approving each. */
export async function listSettlements(
  call: { db: Db; actor: Actor; locale: Locale; fourEyes: boolean },
  query: QueryOf<typeof paymentSettlements.list>,
): Promise<Page<WaitingSettlement>> {
  const { db, actor, locale, fourEyes } = call
  const found = await paged<Row>(db, query, {
    columns: sql`n.id, p.payroll_group_id, g.cohort_id, c.name as cohort_name, p.reference, p.receiver_first_name,
      p.receiver_last_name, p.receiver_phone_number, p.receiver_account, p.amount, n.outcome, n.reason,
      case when l.id is not null then ${lineObject} end as line,
      case when d.id is not null then jsonb_build_object('file_name', d.name, 'size', d.size,
        'download_url', '/storage/settlements/' || n.id) end as document,
      jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as "user", n.created_at, n.user_id,
      settlement_is_asked(n.attempt_id, n.asked, n.created_at) as asked`,
    from: sql`payment_settlements n join payment_attempts a on a.id = n.attempt_id
      join transfer_payrolls p on p.id = a.payroll_id join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id join users u on u.id = n.user_id
      left join statement_lines l on l.id = n.line_id left join agency_statements s on s.id = l.statement_id
      left join files d on d.id = n.document_id`,
    where: [
      sql`n.state = 'proposed'`,
      query.payroll_group_id && sql`p.payroll_group_id = ${query.payroll_group_id}`,
    ],
    sort: { id: sql`n.id` },
    order: 'id',
    key: sql`n.id`,
  })
  const bars = new Map<number, Text | null>()
  for (const { cohort_id } of found.data)
    if (!bars.has(cohort_id))
      bars.set(cohort_id, (await writeOffBar(db, actor, cohort_id, fourEyes))?.text ?? null)
  const data = found.data.map(({ cohort_id, user_id, asked, ...row }): WaitingSettlement => {
    const bar = user_id === actor.id ? say.own : (bars.get(cohort_id) ?? (asked ? null : say.stillAsked))
    return { ...row, own: user_id === actor.id, barred: bar ? fill(bar, locale) : null }
  })
  return { ...found, data }
}

/** Returns the document of a settlement. */
export async function readSettlementDocument(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  actor: Actor,
  id: number,
): Promise<FileAnswer> {
  const [found] = await rows(
    db,
    sql<{ payroll_id: number; key: string; name: string; type: string; dropped: boolean }>`
      select a.payroll_id, f.key, f.name, f.type, f.dropped_at is not null as dropped
      from payment_settlements n join payment_attempts a on a.id = n.attempt_id join files f on f.id = n.document_id
      where n.id = ${id}`,
  )
  if (!found) throw notFound()
  if (found.dropped) throw fileDropped()
  await auditRead(db, actor, 'downloaded', 'payment', found.payroll_id, { settlement: id })
  return new FileAnswer(await storage.read(found.key), found.name, found.type)
}
