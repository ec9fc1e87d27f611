import { expect, test } from 'vitest'
import { eraseApproved } from '../../src/privacy/approved-erasures.service.ts'
import { verifyLedger } from '../../src/transfers/ledger/ledger-check.service.ts'
import { bothAtOnce } from '../at-once.ts'
import { dayFromNow } from '../cohorts.ts'
import { runCommand } from '../commands.ts'
import { startRetries } from '../transfers/payments/retries.ts'

const stage = await startRetries()
const { portal, approver, imported, approve, ending, settled, payments, progress } = stage
const { owner } = portal
/** The lock for which a round waits that an approver starts, before its payments are made. */
const budget = 'select from transfer_parameters where id = 1 for update'

/** A girl whose second payment was made, and whose first round was missed. */
async function paidOnce(name: string) {
  const [row] = ending(10)
  const id = await imported(name, [row ?? []], { from: dayFromNow(-40), to: dayFromNow(20) })
  await approve(id)
  await settled(id)
  const { rows } = await owner.query('select id::int from students where student_code = $1', [row?.[3]])
  return {
    id,
    code: String(row?.[3]),
    phone: row?.[2],
    student: rows[0].id,
    start: () => approver.post(`/admin/transfers/cohorts/${id}/rounds/1/start`),
  }
}
/** The payment of the round that was started by hand. */
async function secondPayment(id: number) {
  await progress(id, ({ round }) => round?.n === 1 && round.executed_at)
  return (await payments(id))[0]
}

test('a girl is not erased whose round is started at that moment, and she is paid', {
  timeout: 60_000,
}, async () => {
  const { id, code, phone, start } = await paidOnce('Started at once')
  const [started, erased] = await bothAtOnce(portal, budget, start, () =>
    runCommand(portal.settings, 'person-erase', ['--student', code]),
  )
  expect([started.status, erased.code]).toEqual([200, 1])
  expect(erased.err).toMatch(/^Nothing was erased\.\n- /)
  expect(await secondPayment(id)).toMatchObject({ status: 'success', receiver_phone_number: phone })
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a request to erase a girl is stopped if her round is started at the moment at which it is carried out', {
  timeout: 60_000,
}, async () => {
  const { id, student, phone, start } = await paidOnce('Requested at once')
  const [asks, decides] = [await portal.signedInAs('Administrator'), await portal.signedInAs('Administrator')]
  const why = { reason: 'Her mother asked in writing' }
  expect((await asks.post(`/admin/people/student/${student}/erasures`, why)).status).toBe(200)
  const [request] = (await decides.get('/admin/erasures')).body.erasures.data
  const [started, counts] = await bothAtOnce(portal, budget, start, async () => {
    const approval = { action: 'approved', reason: 'Letter seen', version: 1 }
    expect((await decides.post(`/admin/erasures/${request.id}/decision`, approval)).status).toBe(200)
    return eraseApproved(portal.context)
  })
  expect(started.status).toBe(200)
  expect(counts).toMatchObject({ erased: 0, stopped: 1, failed: 0 })
  expect(await secondPayment(id)).toMatchObject({ status: 'success', receiver_phone_number: phone })
})

test('whoever asks for the erasure of a girl whom rounds to come would pay has to say that they will not', {
  timeout: 60_000,
}, async () => {
  const [row] = ending(10)
  const id = await imported('Rounds to come', [row ?? []], { from: dayFromNow(0), to: dayFromNow(58) })
  await approve(id)
  await settled(id)
  const admin = await portal.signedInAs('Administrator')
  const { rows } = await owner.query('select id from students where student_code = $1', [row?.[3]])
  const ask = (stop_paying?: boolean) =>
    admin.post(`/admin/people/student/${rows[0].id}/erasures`, { reason: 'Her mother asked', stop_paying })
  for (const unsaid of [undefined, false])
    expect((await ask(unsaid)).body.errors).toEqual({
      stop_paying: ['Rounds are to come that would pay this person. Say that they are not to be paid.'],
    })
  expect((await ask(true)).status).toBe(200)
})
