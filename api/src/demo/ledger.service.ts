import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'

type HistoryEntry = {
  id: number
  key: string
  reference: string
  phone: string
  amount: number
  result: string
  reason: string | null
  at: string
  fee: number
}
const batch = 5_000

/**
 * Writes the demo's past payments to the sandbox agency's ledger, once. The agency skips idempotency keys that it
 * knows. Returns the number of sent payments. It is 0 if they were sent before, or if the agency does not answer; then
 * the next `npm start` tries again.
 */
export async function seedLedger(db: Db, agencyUrl: string): Promise<number> {
  const [made] = await rows(
    db,
    sql<{ created_at: string; ledger_at: string | null }>`
      select created_at, ledger_at from installation where filled_as = 'demo'`,
  )
  if (!made || made.ledger_at) return 0
  let sent = 0
  for (let after = 0; ; ) {
    const entries = await pastPayments(db, made.created_at, after)
    const last = entries.at(-1)
    if (!last) break
    if (!(await sendHistory(agencyUrl, entries))) return 0
    sent += entries.length
    after = last.id
  }
  await sql`update installation set ledger_at = now()`.execute(db)
  return sent
}

/** Sets the agency's new address, because the same sandbox agency may listen on another port after a restart. */
export async function moveAgency(db: Db, agencyUrl: string): Promise<void> {
  await sql`select move_demo_agency(${agencyUrl})`.execute(db)
}

/** Payments from before the demo was made. Later ones went through the agency, so its ledger has them already. */
function pastPayments(db: Db, before: string, after: number): Promise<HistoryEntry[]> {
  return rows(
    db,
    sql<HistoryEntry>`
    select p.id, a.idempotency_key as key, p.reference, p.receiver_phone_number as phone, p.amount, a.state as result, a.reason,
      a.settled_at as at, coalesce(p.agency_fees, 0)::bigint as fee
    from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
    where a.created_at < ${before}::timestamptz and a.state in ('success', 'failed') and p.id > ${after}
    order by p.id limit ${batch}`,
  )
}

async function sendHistory(agencyUrl: string, entries: HistoryEntry[]): Promise<boolean> {
  const body = JSON.stringify({ entries })
  const signal = AbortSignal.timeout(30_000)
  const answer = await fetch(`${agencyUrl}/ledger/import`, { method: 'POST', body, signal }).catch(
    () => undefined,
  )
  if (!answer) return false
  if (!answer.ok)
    throw new Error(`The sandbox agency refused its history: ${answer.status} ${await answer.text()}`)
  return true
}
