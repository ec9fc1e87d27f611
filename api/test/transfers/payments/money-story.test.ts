import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { dayFromNow } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { type Entry as Paid, startRetries } from './retries.ts'

const stage = await startRetries()
const { portal, agency, officer, approver, imported, approve, ending, progress, payments, retry } = stage
type Entry = Paid & { master_list_id: number; student_id: number; state: string }
const grant = 10_500

/** What the reconciliations say of all cohorts. The list of arrears agrees with them at each step. */
async function money() {
  const { totals } = (await approver.get('/admin/transfers/reconciliations')).body
  const listed = (await approver.get('/admin/transfers/arrears')).body.totals
  expect(listed.amount).toBe(totals.total_amount_arrears)
  return {
    disbursed: totals.total_amount_disbursed,
    arrears: totals.total_amount_arrears,
    unknown: totals.total_amount_unknown,
    written_off: totals.total_amount_written_off,
  }
}

/** The ids of what waits under an address. */
const firstOf = async (path: string, list: string): Promise<number> =>
  (await approver.get(`/admin/transfers/${path}`)).body[list].data[0].id

test('of five payments one is corrected and paid, one written off, one settled with a statement, one withheld and released, and the arrears fall to nothing, to the franc', {
  timeout: 120_000,
}, async () => {
  const rows = ending(2, 2, 32, 10, 10)
  const { rows: girls } = await portal.owner.query('select id::int from students where student_code = $1', [
    rows[3]?.[3],
  ])
  const reason = 'Two families say that they are her guardians'
  await officer.post('/admin/transfers/payee-holds', { student_id: girls[0].id, reason })
  await agency.set({ hostile: [{ mode: 'not_json', numbers: ['32'] }] })
  const id = await imported('The story of the money', rows)
  expect(await approve(id)).toMatchObject({ status: 200 })
  await progress(id, ({ round }) => round?.pending === 0 && round.unknown === 1)
  const read = async () => (await payments(id)) as Entry[]
  const [wrong, gone, silent, held, fine] = (await read()) as [Entry, Entry, Entry, Entry, Entry]
  expect([wrong, gone, silent, held, fine].map(({ state }) => state)).toEqual([
    'failed',
    'failed',
    'unknown',
    'held',
    'success',
  ])
  // What is unknown is not owed: the money may have moved.
  expect(await money()).toEqual({ disbursed: grant, arrears: 3 * grant, unknown: grant, written_off: 0 })

  // An officer corrects a number and an approver approves it: only the payment itself changes what is owed.
  const receiver_phone_number = '+22379000110'
  const proposed = await officer.post(`/admin/transfers/master-list/${wrong.master_list_id}/corrections`, {
    receiver_phone_number,
    reason: 'The guardian has another number since June',
  })
  expect(proposed.status).toBe(200)
  const correction = await firstOf('corrections', 'corrections')
  expect(
    (await approver.post(`/admin/transfers/corrections/${correction}/decide`, { action: 'approved' })).status,
  ).toBe(200)
  expect((await money()).arrears).toBe(3 * grant)
  expect((await retry([wrong])).status).toBe(200)
  const paid = (entry: Entry) =>
    until(async () => (await read()).find((each) => each.id === entry.id)?.status === 'success', 20_000)
  await paid(wrong)
  expect(await money()).toEqual({ disbursed: 2 * grant, arrears: 2 * grant, unknown: grant, written_off: 0 })

  const off = await approver.post('/admin/transfers/arrears/write-off', {
    payroll_ids: [gone.id],
    reason: 'She has moved to another country',
  })
  expect(off.status).toBe(200)
  expect(await money()).toEqual({ disbursed: 2 * grant, arrears: grant, unknown: grant, written_off: grant })

  // The agency’s statement shows the payment of which it gives no answer.
  await settle(silent)
  expect(await money()).toEqual({ disbursed: 3 * grant, arrears: grant, unknown: 0, written_off: grant })

  const hold = await firstOf('payee-holds?state=open', 'holds')
  expect((await approver.post(`/admin/transfers/payee-holds/${hold}/release`)).status).toBe(200)
  expect((await money()).arrears).toBe(grant)
  expect((await retry([held])).status).toBe(200)
  await paid(held)
  expect(await money()).toEqual({ disbursed: 4 * grant, arrears: 0, unknown: 0, written_off: grant })

  // The agency moved the money of each of the four once, and of the fifth never.
  const moved = await Promise.all([wrong, gone, silent, held, fine].map((each) => stage.atAgency(each)))
  expect(moved.map((each) => each.moved)).toEqual([1, 0, 1, 1, 1])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

/** An officer settles an open outcome with a line of the agency’s statement, and an approver approves it. */
async function settle(silent: Entry) {
  const day = dayFromNow(0)
  const csv = [
    ['Client reference', 'Transaction id', 'Mobile', 'Amount', 'Timestamp'],
    [silent.reference, 'AG-77', silent.receiver_phone_number, silent.amount, day],
  ]
  const sent = await officer.upload('/admin/transfers/statements', {
    statement_file: new File([csv.map((cells) => cells.join(';')).join('\r\n')], 'statement.csv'),
    transfer_agency_id: 1,
    from: day,
    to: day,
  })
  const path = `/admin/transfers/statements/${sent.body.statement.id}`
  await until(async () => (await officer.get(path)).body.statement.state === 'open')
  const { lines } = (await officer.get(`/admin/transfers/payments/${silent.id}/evidence`)).body
  const proposed = await officer.upload(`/admin/transfers/payments/${silent.id}/settlements`, {
    outcome: 'paid',
    line_id: lines[0].id,
    reason: 'Found in the statement',
  })
  expect(proposed.status).toBe(200)
  // The agency is asked once more before anybody decides.
  await portal.owner.query('update payment_attempts set ask_at = now() where payroll_id = $1', [silent.id])
  await portal.owner.query(`
    begin;
    set local session_replication_role = replica;
    update payment_settlements set created_at = created_at - interval '61 seconds';
    commit`)
  const settlement = await firstOf('settlements', 'settlements')
  await until(async () => {
    const answer = await approver.post(`/admin/transfers/settlements/${settlement}/decide`, {
      action: 'approved',
    })
    return answer.status === 200
  }, 20_000)
}
