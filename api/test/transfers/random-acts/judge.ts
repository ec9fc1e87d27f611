import { bodiesOf } from '../../server/random-calls.ts'
import { faultsOf } from '../../server/random-judge.ts'
import type { Call, World } from './stage.ts'
import { byPayment, movements } from './truth.ts'

/** Tables that only people write, each change with its row in the audit log. */
const ofPeople = [
  'recipient_corrections',
  'cohort_moves',
  'cohort_closings',
  'parameter_budgets',
  'approval_limits',
  'payment_write_offs',
  'transfer_agency_changes',
  'statement_resolutions',
]
const refused = /^(refused|sign-in failed|code refused)/

/** What is wrong with one answer: an error of the server, a refusal without a sentence, or one that was audited as done. */
async function faultsOfCall({ portal, owner }: World, { method, path, answer }: Call): Promise<string[]> {
  const endpoint = portal.endpoints.find(
    (each) =>
      each.method === method &&
      new RegExp(`^${each.path.replace(/:\w+/g, '[^/]+')}$`).test(path.split('?')[0] ?? ''),
  )
  if (!endpoint) return [`nobody answers ${method} ${path}`]
  const faults = faultsOf(endpoint, bodiesOf(endpoint), answer)
  const { rows } = await owner.query(
    'select event, transaction::text as tx from audits where request_id = $1',
    [answer.headers['x-request-id']],
  )
  if (answer.status >= 400 && rows.some(({ event }) => !refused.test(event)))
    faults.push(`refused, and audited: ${rows.map(({ event }) => event)}`)
  if (new Set(rows.map(({ tx }) => tx)).size > 1) faults.push('several transactions of one call are audited')
  return faults.map((fault) => `${fault}: ${answer.status} ${method} ${path} ${JSON.stringify(answer.body)}`)
}

/**
 * Rows that people wrote since then, and acts on money, of which the audit log knows nothing. A worker opens a failed payment again
 * that a hold finds at its agency; the differences of the hold say so.
 */
async function unaudited({ owner }: World, since: string): Promise<string[]> {
  const parts = ofPeople.map((table) => `select '${table}' as name, xmin::text as tx from ${table}`)
  const { rows } = await owner.query(
    `with written as (${parts.join(' union all ')} union all select 'money: ' || kind, xmin::text from money_events e
        where kind in ('retried', 'written_off', 'corrected', 'settled', 'moved') and not (kind = 'retried' and exists (
          select from payment_attempts a where a.payroll_id = e.payroll_id and a.first_asked = 'held')))
     select distinct name from written w where tx::bigint >= $1 and not exists (select from audits where transaction = w.tx::xid8)`,
    [since],
  )
  return rows.map(({ name }) => `changed without an audit row: ${name}`)
}

type Payment = { id: number; reference: string; amount: number; status: string; excused: boolean }

/** Compares all payments of the portal with the ledgers of the agencies themselves. */
export async function faultsOfLedgers(world: World): Promise<string[]> {
  // Recorded first: money may move meanwhile, and a payment that is open here may be anything there.
  const payments: Payment[] = await world.rows(
    `select p.id::int, p.reference, p.amount::int, p.status,
       exists (select from payment_exceptions e where e.payroll_id = p.id and (not e.resolved or e.decision = 'money_moved')) as excused
     from transfer_payrolls p order by p.id`,
  )
  const { of, strange } = byPayment(
    await movements(world),
    (await world.rows('select reference from transfer_payrolls')).map(({ reference }) => reference),
  )
  const faults = strange.map(
    ({ reference }) => `money moved for ${reference}, which the portal does not know`,
  )
  for (const { id, reference, amount, status, excused } of payments) {
    const moved = of.get(reference) ?? []
    const say = (text: string) => faults.push(`payment ${id} (${status}) ${text}`)
    if (moved.length > 1) say(`was made ${moved.length} times`)
    if (moved.some((each) => each.amount !== amount)) say(`of ${amount} moved ${moved[0]?.amount}`)
    if (status === 'success' && moved.length === 0) say('counts as paid, and no money moved')
    if (moved.length > 0 && ['failed', 'pending'].includes(status) && !excused) {
      // It may have been sent since it was read.
      const [{ now }] = await world.rows('select status as now from transfer_payrolls where id = $1', [id])
      if (now === status) say('is not paid here, and its money moved')
    }
  }
  return faults
}

/** Judges what was called since a transaction. */
export async function judge(world: World, since: string): Promise<string[]> {
  const calls = world.calls.splice(0)
  const faults: string[] = []
  for (const call of calls) faults.push(...(await faultsOfCall(world, call)))
  faults.push(...(await unaudited(world, since)), ...(await faultsOfLedgers(world)))
  return faults
}

/** The number of the next transaction. */
export const transactionNow = async ({ rows }: World): Promise<string> =>
  (await rows('select pg_snapshot_xmin(pg_current_snapshot())::text as now'))[0].now
