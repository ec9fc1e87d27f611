import { afterAll, expect, test } from 'vitest'
import { type Mark, readMarkFile, writeMarkFile } from '../../../src/transfers/sending-hold/sending-mark.ts'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { addPeople, addRound } from '../../people.ts'
import { startPortal, until } from '../../portal.ts'
import { startAgency } from '../agencies/agency.ts'

const agency = await startAgency()
afterAll(() => agency.close())
const portal = await startPortal({ agencyHosts: [agency.host] })
const pool = portal.db.pool
const approver = await portal.signedInAs('Transfer Approver')
const { officer } = await addPeople(portal.db, 3, agency.url)
const path = '/admin/transfers/sending-hold'

/** Sends an order to the agency, as the lost database did. */
async function sendElsewhere(round: number, lastTwo: string): Promise<number> {
  const { rows } = await pool.query(
    `select reference, payment_key(reference, 1) as key, receiver_phone_number as phone, amount::int,
       receiver_first_name || ' ' || receiver_last_name as name
     from transfer_payrolls where payroll_group_id = $1 and receiver_phone_number like '%' || $2`,
    [round, lastTwo],
  )
  const { key, ...order } = rows[0]
  const answer = await fetch(`${agency.url}/payments`, {
    method: 'POST',
    headers: { 'idempotency-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ ...order, currency: 'XOF' }),
  })
  return answer.status
}

test('a recipient whose order the agency had received but not paid when the database was lost is paid once', {
  timeout: 150_000,
}, async () => {
  const { round } = await addRound(portal.db, officer, 3, 'Received', (n) => [7, 9, 10][n] as number)
  await compareMarks(portal.context)
  expect([await sendElsewhere(round, '07'), await sendElsewhere(round, '09')]).toEqual([500, 429])
  const file = await readMarkFile(portal.settings)
  const { mark } = file as { mark: Mark }
  await writeMarkFile(portal.settings, { ...mark, counter: mark.counter + 50 })
  const stop = await portal.worker()
  await until(async () => (await approver.get(path)).body.hold?.barred === null, 60_000)
  expect((await approver.post(`${path}/release`, {})).status).toBe(200)

  await until(async () => {
    const { rows } = await pool.query(
      "select from transfer_payrolls where payroll_group_id = $1 and status <> 'success'",
      [round],
    )
    return rows.length === 0
  }, 60_000)
  await stop()
  expect((await agency.ledger()).map(({ received, executed }) => [received, executed]).sort()).toEqual([
    [1, 1],
    [2, 1],
    [2, 1],
  ])
})
