import type { HeldRound } from '@portal/contracts/transfers/sending-hold'
import type { Pool } from 'pg'
import { checkPayments, newPayments, reportedJson, storableRows } from '../connectors/agency-payments.ts'
import type { AgencyPayment, Instruction } from '../connectors/connector.ts'
import { fenced, isDue, type Lease } from '../engine/agency-lease.service.ts'
import { type Settled, settlePayments } from '../engine/settlement.service.ts'

/** An entry to query, with its last order or the order that would be sent next. */
export type Question = Instruction & {
  payroll_id: number
  n: number
  known: boolean
  /** Whether it has an attempt that the agency has not refused. */
  open: boolean
  /** Keys of the attempts that the agency refused, and its own ids of them. */
  refused: string[]
}
/** The agency's answer about an entry, by reference. */
export type Answered = { question: Question; payments: AgencyPayment[] }

/**
 * Claims payments of the agency that are due for a query. Their next query time is set first, so that no other worker
 * claims them. Payments that have succeeded meanwhile need no query.
 */
export function claimHeld(pool: Pool, lease: Lease, holdId: number, limit: number): Promise<Question[]> {
  return fenced(pool, lease, async (client) => {
    await client.query(
      `update sending_hold_questions q set answer = p.status from transfer_payrolls p
       where q.hold_id = $1 and q.agency_id = $2 and ${isDue} and p.id = q.payroll_id and p.status = 'success'`,
      [holdId, lease.agency_id],
    )
    const { rows } = await client.query<Question>({
      name: 'claim-held',
      text: `
        with due as (
          select payroll_id from sending_hold_questions q
          where q.hold_id = $1 and q.agency_id = $2 and ${isDue} order by q.ask_at limit $3
        ), q as (
          update sending_hold_questions q set tries = q.tries + 1, ask_at = now() + interval '1 minute'
          from due where q.hold_id = $1 and q.payroll_id = due.payroll_id returning q.payroll_id
        ), n as (
          select q.payroll_id, a.idempotency_key, a.state is not null as open, a.state is not null and a.state <> 'pending' as known,
            coalesce(a.n, 1 + (select count(*) from payment_attempts f where f.payroll_id = q.payroll_id))::int as n
          from q left join payment_attempts a on a.payroll_id = q.payroll_id and a.state <> 'failed'
        )
        select p.id as payroll_id, n.n, n.open, n.known, coalesce(n.idempotency_key, payment_key(p.reference, n.n)) as key, p.reference,
          p.receiver_phone_number as phone, p.receiver_account as account, p.receiver_bank as bank,
          p.receiver_first_name || ' ' || p.receiver_last_name as name, p.amount,
          array(select k from payment_attempts f, unnest(array[f.idempotency_key::text, f.external_trx_id]) k
            where f.payroll_id = p.id and f.state = 'failed' and k is not null) as refused
        from n join transfer_payrolls p on p.id = n.payroll_id`,
      values: [holdId, lease.agency_id, limit],
    })
    return rows
  })
}

/** Writes the agency's answers. Its payments become attempts of the entries and are settled like any other answer. */
export async function writeAnswers(
  pool: Pool,
  lease: Lease,
  holdId: number,
  answers: readonly Answered[],
  moved: boolean,
): Promise<void> {
  const read = answers.map(readAnswer)
  const holding = read.filter(({ payments }) => payments.length > 0)
  const attempts = await adopt(pool, lease, holding)
  const settled = holding.flatMap(({ question, payments }): Settled[] => {
    const attempt_id = attempts.get(question.payroll_id)
    const payment = attempt_id && { attempt_id, n: question.n, key: question.key }
    return payment ? [{ payment, ...checkPayments(question, payments) }] : []
  })
  if (settled.length > 0) await settlePayments(pool, lease, settled)
  await noteAnswers(pool, lease, holdId, read, moved)
}

type ReadAnswer = Answered & {
  /** Whether the payment must be queried once more, because the agency has later attempts of it. */
  again: boolean
  /**
   * Payments that contradict the refusal of a failed attempt. A person looks at them, because a final state never
   * changes (Money 4.8).
   */
  against: AgencyPayment[]
}

function readAnswer({ question, payments }: Answered): ReadAnswer {
  const against = payments.filter(
    ({ key, outcome }) => !question.open && question.refused.includes(key) && outcome.kind !== 'failed',
  )
  const rest = payments.filter((each) => !against.includes(each))
  return { question, against, ...newPayments(rest, question) }
}

/**
 * Records the agency's payments as attempts. An open attempt takes over the agency's payment, so there is never a
 * second open one; a failed payment gets a new attempt. None of them is sent again, because a restored database may
 * have an older address or sending time. All transactions are recorded first, so that none of them settles another
 * payment.
 */
async function adopt(pool: Pool, lease: Lease, read: readonly Answered[]): Promise<Map<number, number>> {
  if (read.length === 0) return new Map()
  return fenced(pool, lease, async (client) => {
    const ids = read.map(({ question }) => question.payroll_id)
    const all = read.flatMap(({ payments }) => payments)
    await client.query('select note_reported($1, $2)', [lease.agency_id, reportedJson(all)])
    await client.query(
      `insert into payment_attempts (payroll_id, n, state)
       select p.id, coalesce(max(a.n), 0) + 1, 'pending' from transfer_payrolls p left join payment_attempts a on a.payroll_id = p.id
       where p.id = any($1::bigint[]) and p.status = 'failed' and p.written_off_at is null
       group by p.id having count(a.id) filter (where a.state <> 'failed') = 0`,
      [ids],
    )
    await client.query(
      `update transfer_payrolls set status = 'pending', failure_reason = null, external_trx_id = null, withheld_at = null,
         updated_at = now()
       where id = any($1::bigint[]) and status = 'failed' and written_off_at is null`,
      [ids],
    )
    await client.query(
      `update transfer_payrolls set status = 'sending', updated_at = now() where id = any($1::bigint[]) and status = 'pending'`,
      [ids],
    )
    const { rows } = await client.query<{ attempt_id: number; payroll_id: number }>(
      `insert into payment_attempts as a (payroll_id, n, state, tries, first_asked)
       select * from unnest($1::bigint[], $2::int[]) u (payroll_id, n), lateral (select 'sending', 1, 'held') s
       on conflict (payroll_id) where state <> 'failed'
       do update set state = case a.state when 'pending' then 'sending' else a.state end, tries = a.tries + 1,
         first_asked = excluded.first_asked
       returning id as attempt_id, payroll_id`,
      [ids, read.map(({ question }) => question.n)],
    )
    return new Map(rows.map((row) => [row.payroll_id, row.attempt_id]))
  })
}

/**
 * Records the answers and the differences. If the agency's address changed in the lost database, "not found" at the old
 * address proves nothing: the payment may be at the new one.
 */
function noteAnswers(
  pool: Pool,
  lease: Lease,
  holdId: number,
  read: readonly ReadAnswer[],
  moved: boolean,
): Promise<void> {
  const answers = read.map(({ question, payments, again, against }) => {
    if (again) return null
    if (payments.length === 0) return against.length > 0 ? 'differs' : moved ? null : 'not_found'
    const { outcome, mismatch } = checkPayments(question, payments)
    if (mismatch) return 'differs'
    return outcome.kind === 'success' || outcome.kind === 'failed' ? outcome.kind : 'processing'
  })
  const shown = read.flatMap(({ question, payments, against }, index) => {
    const differs = answers[index] === 'differs'
    const rows = (payments: AgencyPayment[], kind: 'differs' | 'learned') =>
      storableRows(payments).map((payment) => ({ ...payment, payroll_id: question.payroll_id, kind }))
    const learned = differs || !question.known ? rows(payments, differs ? 'differs' : 'learned') : []
    return [...learned, ...rows(against, 'differs')]
  })
  return fenced(pool, lease, async (client) => {
    await client.query(
      `update sending_hold_questions q set answer = u.answer,
         ask_at = case when u.answer is null then now() when u.answer = 'processing' then now() + interval '3 seconds' else q.ask_at end
       from unnest($2::bigint[], $3::text[]) u (payroll_id, answer)
       where q.hold_id = $1 and q.payroll_id = u.payroll_id`,
      [holdId, read.map(({ question }) => question.payroll_id), answers],
    )
    await client.query(
      `insert into sending_hold_differences
         (hold_id, agency_id, kind, payroll_id, key, reference, external_trx_id, phone, amount, state, at)
       select $1, $2, d.kind, d.payroll_id, d.key, d.reference, d.external_trx_id, d.phone, d.amount, d.state, d.at
       from jsonb_to_recordset($3::jsonb) d (kind text, payroll_id bigint, key text, reference text, external_trx_id text,
         phone text, amount bigint, state text, at timestamptz)
       on conflict (hold_id, agency_id, key) do update set kind = excluded.kind`,
      [holdId, lease.agency_id, JSON.stringify(shown)],
    )
  })
}

/** Whether the agency's address or account was changed in the lost database. */
export async function hasMoved(pool: Pool, holdId: number, agencyId: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from sending_hold_lists where hold_id = $1 and agency_id = $2 and moved',
    [holdId, agencyId],
  )
  return rowCount !== 0
}

/**
 * Records for each round why its agency cannot be queried, or null. Unanswered queries are repeated with exponential
 * backoff, at most a minute apart.
 */
export function noteFailure(
  pool: Pool,
  lease: Lease,
  holdId: number,
  failure: HeldRound['failure'],
): Promise<void> {
  return fenced(pool, lease, async (client) => {
    await client.query(
      `update sending_hold_rounds r set failure = $3
       where r.hold_id = $1 and r.failure is distinct from $3 and exists (select from sending_hold_questions q
         where q.hold_id = $1 and q.agency_id = $2 and q.payroll_group_id = r.payroll_group_id)`,
      [holdId, lease.agency_id, failure],
    )
    if (!failure) return
    await client.query(
      `update sending_hold_questions q set ask_at = now() + least(60, power(2, least(q.tries, 6))) * interval '1 second'
       where q.hold_id = $1 and q.agency_id = $2 and (q.answer is null or $3 = 'cannot_ask')`,
      [holdId, lease.agency_id, failure],
    )
  })
}
