import { afterAll, expect, test } from 'vitest'
import { recipient, startStage } from '../../cohorts.ts'
import { untilLocked } from '../../locks.ts'
import { until } from '../../portal.ts'
import { addGsma, startGsma } from './gsma.ts'

const stage = await startStage(10)
const { portal, officer, approver, imported } = stage
const gsma = await startGsma()
afterAll(() => gsma.close())
portal.settings.agencyHosts.push(gsma.host)
let stop = await portal.worker()

let used = 0
/** A list at an operator that tells names, with the address of its check. */
async function listAtOperator(name: string, size: number) {
  const transfer_agency_id = await addGsma(portal, gsma.endpoint, name, { concurrency: 2 })
  const girls = Array.from({ length: size }, () => recipient(++used, { lastTwo: 20 }))
  const id = await imported(name, girls, { transfer_agency_id })
  return { id, path: `/admin/transfers/cohorts/${id}/names` }
}

test('an officer’s check counts each girl once, although a worker that was frozen gets its answers after another one has taken over', async () => {
  const { id, path } = await listAtOperator('Taken over', 2)
  // Each call takes so long that the worker still waits for its answers when another one has the check.
  await gsma.set({ latency_ms: 1_500 })
  const { calls } = await gsma.ledger()
  expect((await officer.post(`${path}/check`)).status).toBe(200)
  await until(async () => (await gsma.ledger()).calls > calls, 20_000)
  const { rows } = await portal.owner.query(
    "update name_checks set fence = fence + 1, leased_until = now() + interval '1 hour' where cohort_id = $1 returning fence",
    [id],
  )
  await until(async () => (await portal.owner.query('select from name_answers')).rowCount === 2, 20_000)
  await stop()
  const check = async () => (await approver.get(path)).body.check
  expect(await check()).toMatchObject({ state: 'running', done: 0 })

  // The worker that took over asks nobody again and ends the check.
  await gsma.set({ latency_ms: 0 })
  await portal.owner.query('update name_checks set leased_until = null where cohort_id = $1 and fence = $2', [
    id,
    rows[0].fence,
  ])
  const asked = (await gsma.ledger()).calls
  stop = await portal.worker()
  const ended = await until(async () => {
    const found = await check()
    return found.state !== 'running' && found
  }, 20_000)
  expect(ended).toMatchObject({ state: 'finished', done: 2, unanswered: 0 })
  expect((await gsma.ledger()).calls).toBe(asked)
})

test('an officer who cancels a check while the agency is being asked finds it cancelled, also after the answers came', async () => {
  const { path } = await listAtOperator('Cancelled meanwhile', 2)
  await gsma.set({ latency_ms: 1_500 })
  const { calls } = await gsma.ledger()
  const { rows: before } = await portal.owner.query('select count(*)::int as n from name_answers')
  expect((await officer.post(`${path}/check`)).status).toBe(200)
  await until(async () => (await gsma.ledger()).calls > calls, 20_000)
  expect((await officer.post(`${path}/cancel`)).status).toBe(200)
  await until(async () => {
    const { rows } = await portal.owner.query('select count(*)::int as n from name_answers')
    return rows[0].n === before[0].n + 2
  })
  await stop()
  expect((await approver.get(path)).body.check).toMatchObject({ state: 'cancelled', done: 0 })
  await gsma.set({ latency_ms: 0 })
  stop = await portal.worker()
})

test('an officer’s check goes on although a worker that was frozen is refused by the agency after another one has taken over', async () => {
  const { id, path } = await listAtOperator('Refused late', 1)
  const lock = await portal.owner.connect()
  try {
    await lock.query('begin')
    await lock.query('lock table transfer_master_list in access exclusive mode')
    expect((await officer.post(`${path}/check`)).status).toBe(200)
    // The worker has the check and waits for the rows of its list.
    await untilLocked(portal.db.pool, { table: 'transfer_master_list' })
  } finally {
    await portal.owner.query(
      "update name_checks set fence = fence + 1, leased_until = now() + interval '1 hour' where cohort_id = $1",
      [id],
    )
    await gsma.set({ signs_in_by: 'token' })
    await lock.query('commit')
    lock.release()
  }
  await until(async () => (await gsma.ledger()).strangers > 0)
  await stop()
  expect((await approver.get(path)).body.check).toMatchObject({ state: 'running', problem: null })
})
