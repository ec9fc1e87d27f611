import { expect, test } from 'vitest'
import { missOldRounds } from '../../../src/transfers/rounds/rounds.service.ts'
import { file, pdf } from '../../cases/case-stage.ts'
import { dayFromNow } from '../../cohorts.ts'
import { untilLocked, waitingForLock } from '../../locks.ts'
import { until } from '../../portal.ts'
import type { Entry } from './retries.ts'
import { startWriteOffs } from './write-off-stage.ts'

const stage = await startWriteOffs()
const { portal, agency, officer, approver, imported, approve, ending, settled, payments, paid } = stage
const { atAgency, attemptsOf, correct, retry, killWorker, startWorker, writeOff, app } = stage
const { owner } = portal

/** Whether a query whose text has these words waits for a lock. */
const waitsFor = async (words: string) => (await waitingForLock(portal.db.pool, { words })).length > 0

test('a girl is not paid by a worker that claims her payment at the moment at which an approver stops the cohort', {
  timeout: 60_000,
}, async () => {
  const id = await imported('Stopped at once', ending(10), { from: dayFromNow(2), to: dayFromNow(29) })
  await approve(id)
  const [girl] = (await payments(id)) as [Entry]
  const orders = async () => (await atAgency(girl)).keys
  const stop = await owner.connect()
  await stop.query('begin')
  await stop.query('update transfer_cohorts set stopped_at = now() where id = $1', [id])
  try {
    for (const table of ['transfer_rounds', 'transfer_payroll_groups'])
      await owner.query(`update ${table} set due_on = due_on - 2 where cohort_id = $1`, [id])
    await until(async () => (await waitsFor('picked')) || (await orders()) > 0, 20_000)
  } finally {
    await stop.query('commit')
    stop.release()
  }
  await until(async () => !(await waitsFor('picked')))
  expect(await payments(id)).toMatchObject([{ status: 'pending' }])
  expect(await orders()).toBe(0)
})

test('an order whose outcome an officer proposes to settle is not sent again, although its agency does not know it', {
  timeout: 90_000,
}, async () => {
  await agency.set({ hostile: [{ mode: 'error_unpaid' }] })
  const id = await imported('Not known', ending(32))
  await approve(id)
  const now = async () => (await payments(id))[0] as Entry
  await until(async () => (await now())?.status === 'unknown', 20_000)
  const girl = await now()
  const letter = { outcome: 'not_paid', reason: 'The agency wrote on Monday', file: file('letter.pdf', pdf) }
  expect((await officer.upload(`/admin/transfers/payments/${girl.id}/settlements`, letter)).status).toBe(200)
  const tries = async () =>
    (await owner.query('select tries from payment_attempts where payroll_id = $1', [girl.id])).rows[0].tries
  // Only one worker runs, and this agency answers each call, so no call from before the proposal is under way once it is asked again.
  const before = await tries()
  await until(async () => (await tries()) > before, 20_000)
  await agency.set({ hostile: [] })
  await until(async () => (await now()).failure_reason !== 'http_500', 20_000)
  expect((await atAgency(girl)).moved).toBe(0)
  expect(await now()).toMatchObject({ status: 'unknown', failure_reason: 'not_found_settling' })
})

test('a round that has begun goes on after workers were away for days, and is not missed', {
  timeout: 60_000,
}, async () => {
  const { id, entries } = await paid('Begun before', 2, 10)
  const [girl] = entries as [Entry]
  await correct(girl)
  await killWorker()
  expect((await retry([girl])).status).toBe(200)
  await owner.query(
    `update transfer_payroll_groups set due_on = due_on - 3, called_at = now() - interval '3 days' where cohort_id = ${id};
     update transfer_rounds set due_on = due_on - 3 where cohort_id = ${id}`,
  )
  await missOldRounds(portal.db)
  startWorker()
  const { rounds } = (await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)).body.cohort
  expect(rounds[0]).toMatchObject({ n: 1, state: 'made' })
  await settled(id)
  expect(await atAgency(girl)).toEqual({ keys: 2, moved: 1 })
})

test('an approver makes no payment again at the moment at which sending is held', {
  timeout: 60_000,
}, async () => {
  const { entries } = await paid('Held at once', 2)
  const hold = await owner.connect()
  await hold.query('begin')
  await hold.query('select from sending_marks for update')
  await hold.query("insert into sending_holds (reasons, known_until) values ('{clock}', now())")
  let answered = false
  const asked = retry(entries).finally(() => {
    answered = true
  })
  try {
    await until(async () => answered || (await waitsFor('sending_marks for share')), 20_000)
  } finally {
    await hold.query('commit')
    hold.release()
  }
  const answer = await asked
  await owner.query('update sending_holds set released_at = now(), released_by = $1', [approver.user.id])
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'No payments are being sent at all. Sending must be released first.',
  ])
  expect(await attemptsOf(entries[0] as Entry)).toHaveLength(1)
})

test('when one approver retries a payment while another writes it off, it is paid or written off, never both', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('At once', 2)
  await correct(...entries)
  const other = await portal.signedInAs('Transfer Approver')
  const answers = await Promise.all([writeOff(entries), retry(entries, other), writeOff(entries, other)])
  // One that was made again first waits to be sent, and can still be written off.
  const writtenOff = [answers[0], answers[2]].filter((answer) => answer?.status === 200).length
  expect(answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([])
  await settled(id)
  const [ended] = await payments(id)
  const { moved } = await atAgency(entries[0] as Entry)
  expect({ state: (ended as Entry & { state: string }).state, moved, writtenOff }).toEqual(
    writtenOff === 1
      ? { state: 'written_off', moved: 0, writtenOff }
      : { state: 'success', moved: 1, writtenOff: 0 },
  )
})

test('a payment that a worker claims at the moment it is written off is sent or written off, never both', async () => {
  const id = await imported('At one moment', ending(10), {
    from: dayFromNow(2),
    to: dayFromNow(28),
  })
  await approve(id)
  const [entry] = (await payments(id)) as [Entry]
  const worker = await app.connect()
  await worker.query('begin')
  await worker.query('select from transfer_payrolls where id = $1 for update', [entry.id])
  await worker.query(`insert into payment_attempts (payroll_id, state, tries) values ($1, 'sending', 1)`, [
    entry.id,
  ])
  await worker.query(`update transfer_payrolls set status = 'sending' where id = $1`, [entry.id])
  const late = writeOff([entry])
  await untilLocked(portal.owner)
  await worker.query('commit')
  worker.release()
  expect(await late).toMatchObject({ status: 409 })
  expect(await payments(id)).toMatchObject([{ state: 'sending' }])
})
