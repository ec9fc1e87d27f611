import { afterAll, expect } from 'vitest'
import type { Client } from '../../client.ts'
import { dayFromNow } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { startAgency } from '../agencies/agency.ts'
import { copyAgency } from '../agencies/copied.ts'
import { type Entry as Paid, startRetries } from './retries.ts'

export type Entry = Paid & { master_list_id: number; student_id: number; state: string }
export type Stats = Record<string, number>

/*
 * A small world in which money has gone every way: paid, corrected and paid, refused, written off, withheld, unknown, still to send; of
 * a list that was moved, one that is closed, one to decide on and one that was rejected.
 */
const other = await startAgency()
afterAll(() => other.close())
const stage = await startRetries({ agencyHosts: [other.host] })
export const { portal, approver } = stage
export const { owner } = portal
const { officer, imported, approve, ending, progress, payments, retry } = stage
const accountant = await portal.signedInAs('Auditor')
const admin = await portal.signedInAs('Administrator')
export const second = await copyAgency(portal, 'Second', { endpoint: other.url })
// 1.37 percent of such amounts is never a whole franc, so that each fee is rounded by itself.
const made = await admin.post('/admin/transfers/parameter', {
  name: 'Odd amounts',
  description: 'Fees that are rounded',
  commission: 1.37,
  amount: 9_999,
  frequency: 1,
  currency: 'XOF',
})
expect(made.status).toBe(200)
const { rows: parameters } = await owner.query(`select max(id)::int as id from transfer_parameters`)
export const odd: number = parameters[0].id
/** Rows with amounts of their own; every third has the parameter's. */
const rowsOf = (...digits: number[]) =>
  ending(...digits).map((row, n) =>
    n % 3 === 2 ? row : [...row.slice(0, 4), 10_000 + 337 * Number(String(row[3]).slice(4))],
  )
const list = (name: string, digits: number[], fields = {}) =>
  imported(name, rowsOf(...digits), { transfer_parameter_id: odd, ...fields })
export const read = async (path: string, who: Client = accountant) => (await who.get(path)).body
export const transfers = (path: string) => read(`/admin/transfers/${path}`)
const entriesOf = async (id: number) => (await payments(id)) as Entry[]
const ok = (answer: { status: number; body: unknown }) =>
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)

/** Two rounds with payments that were paid, corrected and paid, refused, written off and withheld. */
async function mostOutcomes(): Promise<number> {
  const rows = rowsOf(10, 11, 2, 3, 4, 12)
  const { rows: girls } = await owner.query('select id::int from students where student_code = $1', [
    rows[5]?.[3],
  ])
  ok(await officer.post('/admin/transfers/payee-holds', { student_id: girls[0].id, reason: 'Two families' }))
  const period = { from: dayFromNow(-40), to: dayFromNow(20), transfer_parameter_id: odd }
  const id = await imported('Most outcomes', rows, period)
  ok(await approve(id))
  await stage.settled(id)
  const entries = await entriesOf(id)
  const [, , wrong, gone] = entries as [Entry, Entry, Entry, Entry]
  ok(
    await officer.post(`/admin/transfers/master-list/${wrong.master_list_id}/corrections`, {
      receiver_phone_number: '+22379000110',
      reason: 'Another number since June',
    }),
  )
  const { corrections } = await read('/admin/transfers/corrections', approver)
  ok(
    await approver.post(`/admin/transfers/corrections/${corrections.data[0].id}/decide`, {
      action: 'approved',
    }),
  )
  ok(await retry([wrong]))
  await until(
    async () => (await entriesOf(id)).find((each) => each.id === wrong.id)?.status === 'success',
    20_000,
  )
  ok(
    await approver.post('/admin/transfers/arrears/write-off', {
      payroll_ids: [gone.id],
      reason: 'Moved away',
    }),
  )
  // The first round was missed, and an approver starts it by hand.
  ok(await approver.post(`/admin/transfers/cohorts/${id}/rounds/1/start`))
  await progress(id, ({ round }) => round?.n === 1 && round.executed_at)
  return id
}

/** A list that was moved before it was sent. The other agency refuses one payment, and never gives a readable answer about another. */
async function moved(): Promise<number> {
  await other.set({ hostile: [{ mode: 'not_json', numbers: ['32'] }] })
  const id = await list('Moved', [10, 2, 32], { from: dayFromNow(1), to: dayFromNow(25) })
  ok(await approve(id))
  const move = `/admin/transfers/cohorts/${id}/move`
  ok(await officer.post(move, { transfer_agency_id: second, reason: 'The contract has ended' }))
  const { proposal } = await read(move, approver)
  ok(await approver.post(`/admin/transfers/cohort-moves/${proposal.id}/decide`, { action: 'approved' }))
  await owner.query(
    `update transfer_payroll_groups set due_on = (now() at time zone 'utc')::date where cohort_id = $1`,
    [id],
  )
  await progress(id, ({ round }) => round?.pending === 0 && round.unknown === 1)
  return id
}

/** A list of which one payment was written off, closed for good. */
async function closed(): Promise<number> {
  const id = await list('Closed', [10, 4])
  ok(await approve(id))
  await stage.settled(id)
  const refused = (await entriesOf(id)).filter(({ status }) => status === 'failed')
  const payroll_ids = refused.map((each) => each.id)
  ok(await approver.post('/admin/transfers/arrears/write-off', { payroll_ids, reason: 'Not enrolled' }))
  ok(await approver.post(`/admin/transfers/cohorts/${id}/close`, { reason: 'The term has ended' }))
  return id
}

/** The cohorts: of most outcomes, moved, closed, of a later day, to decide on, rejected. */
export const ids = [await mostOutcomes(), await moved(), await closed()]
const ahead = await list('Ahead', [10, 11], { from: dayFromNow(3), to: dayFromNow(60) })
ok(await approve(ahead))
ids.push(ahead, await list('To decide', [10]))
const turnedDown = await list('Turned down', [10])
ok(await approver.post(`/admin/transfers/cohorts/${turnedDown}/approve`, { action: 'rejected' }))
ids.push(turnedDown)

/** The figures by the payments themselves, of one cohort or of all. */
export async function truth(cohort?: number): Promise<Stats> {
  const { rows } = await owner.query(
    `select coalesce(sum(p.amount), 0)::int as total_amount_expected,
      coalesce(sum(p.amount) filter (where p.status = 'success'), 0)::int as total_amount_disbursed,
      coalesce(sum(p.fees) filter (where p.status = 'success'), 0)::int as total_amount_fees,
      coalesce(sum(p.amount) filter (where p.status = 'failed' and p.written_off_at is null), 0)::int as total_amount_arrears,
      coalesce(sum(p.amount) filter (where p.written_off_at is not null), 0)::int as total_amount_written_off,
      coalesce(sum(p.amount) filter (where p.status in ('pending', 'sending')), 0)::int as total_amount_pending,
      coalesce(sum(p.amount) filter (where p.status = 'unknown'), 0)::int as total_amount_unknown
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
    where g.cohort_id = $1 or $1::bigint is null`,
    [cohort ?? null],
  )
  return rows[0]
}
export const all = await truth()
