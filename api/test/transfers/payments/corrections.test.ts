import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { dayFromNow } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { type Entry, reason, startCorrections } from './correction-stage.ts'

const stage = await startCorrections()
const {
  portal,
  agency,
  officer,
  approver,
  cohort,
  imported,
  approve,
  ending,
  settled,
  payments,
  retry,
  newNumber,
  propose,
  decide,
  waiting,
  waitingOf,
  correctionOf,
  refused,
} = stage

test('an approver sees that a girl’s next list has the number from before her correction', {
  timeout: 120_000,
}, async () => {
  const rows = ending(2)
  const id = await imported('Corrected', rows)
  await approve(id)
  await settled(id)
  const [wrong] = (await payments(id)) as Entry[]
  const phone = newNumber()
  await propose(wrong as Entry, phone)
  await decide((await waiting())[0].id, 'approved')
  await retry([wrong as Entry])
  await settled(id)
  const next = await imported('Next term', rows, { from: dayFromNow(40), to: dayFromNow(60) })
  const { body } = await approver.get(`/admin/transfers/cohorts/${next}/flags`)
  expect(body.flags).toMatchObject([
    { kind: 'number_changed', count: 1, rows: [{ value: rows[0]?.[2], compared: phone }] },
  ])
})

test('an officer corrects a number, an approver approves it, and the payment is made once more, to the new number only', {
  timeout: 120_000,
}, async () => {
  const { id, wrong } = await refused('Put right', 10)
  const phone = newNumber()
  expect(await propose(wrong, phone)).toMatchObject({
    status: 200,
    body: { message: 'The correction waits for the approval of a second person.' },
  })
  // Nothing has changed yet, and nothing is done about the payment meanwhile.
  expect(await payments(id)).toMatchObject([
    { state: 'correcting', acts: [], receiver_phone_number: wrong.receiver_phone_number, corrected: false },
    { state: 'success' },
  ])
  const waits = 'A correction of its recipient waits for approval.'
  for (const answer of [
    await retry([wrong]),
    await approver.post('/admin/transfers/arrears/write-off', { payroll_ids: [wrong.id], reason }),
  ])
    expect(answer).toMatchObject({
      status: 409,
      body: { errors: { [`payroll_ids.${wrong.id}`]: [expect.stringContaining(waits)] } },
    })
  const [shown] = await waiting()
  expect(shown).toMatchObject({
    cohort_name: 'Put right',
    old_values: { receiver_phone_number: wrong.receiver_phone_number },
    new_values: { receiver_phone_number: phone, receiver_first_name: 'Fatoumata' },
    reason,
    failed: 1,
    amount: 10_500,
    shared: 0,
    barred: null,
  })

  expect(await decide(shown.id, 'approved')).toMatchObject({ status: 200 })
  expect(await payments(id)).toMatchObject([
    { state: 'failed', receiver_phone_number: phone, corrected: true },
    { state: 'success', corrected: false },
  ])
  // The list of the cohort shows the number that is paid, and the one that was approved with the list.
  expect((await cohort(id)).transfer_master_list.data).toMatchObject([
    { receiver_phone_number: phone, listed_number: wrong.receiver_phone_number },
    { listed_number: null },
  ])
  const found = await approver.get(`/admin/transfers/cohorts/${id}/summary?search=${phone.slice(4)}`)
  expect(found.body.cohort.transfer_master_list.total).toBe(1)
  expect((await retry([wrong])).status).toBe(200)
  await settled(id)
  const orders = (await agency.ledger()).filter(({ reference }) => reference === wrong.reference)
  expect(orders.map(({ phone: to, executed }) => ({ to, executed }))).toEqual([
    { to: wrong.receiver_phone_number, executed: 0 },
    { to: phone, executed: 1 },
  ])
  const { rows: attempts } = await portal.owner.query(
    'select n, state, correction_id::int from payment_attempts where payroll_id = $1 order by n',
    [wrong.id],
  )
  expect(attempts).toEqual([
    { n: 1, state: 'failed', correction_id: null },
    { n: 2, state: 'success', correction_id: shown.id },
  ])
  expect((await cohort(id)).transfer_cohort_stats).toMatchObject({
    total_amount_disbursed: 21_000,
    total_amount_arrears: 0,
  })
  const { rows: log } = await portal.owner.query(
    `select a.event, a.user_id::int, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event like 'correction %' and a.auditable_type = 'cohort' and a.auditable_id = $1 order by a.id`,
    [id],
  )
  expect(log).toEqual([
    {
      event: 'correction proposed',
      user_id: officer.user.id,
      old_values: null,
      new_values: { correction: shown.id, columns: ['receiver_phone_number'] },
    },
    {
      event: 'correction approved',
      user_id: approver.user.id,
      old_values: null,
      new_values: { correction: shown.id },
    },
  ])
  expect(await waiting()).toEqual([])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('the rounds that follow go to the corrected number, and those made before keep theirs', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Two rounds', ending(2, 10), { from: dayFromNow(0), to: dayFromNow(59) })
  await approve(id)
  await settled(id)
  const [wrong] = (await payments(id)) as [Entry]
  const phone = newNumber()
  await propose(wrong, phone)
  await decide((await correctionOf(wrong)).id, 'approved')
  await portal.owner.query(
    'update transfer_rounds set due_on = current_date where cohort_id = $1 and n = 2',
    [id],
  )
  const { rows } = await until(async () => {
    const found = await portal.owner.query(
      `select g.n, p.receiver_phone_number as phone, p.status, p.correction_id is not null as corrected
       from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
       where g.cohort_id = $1 and p.master_list_id = $2 order by g.n`,
      [id, wrong.master_list_id],
    )
    return found.rows[1]?.status === 'success' && found
  })
  expect(rows).toEqual([
    { n: 1, phone, status: 'failed', corrected: true },
    { n: 2, phone, status: 'success', corrected: true },
  ])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a payment that was made again and still waits when a correction is approved goes to the corrected number, once', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Made again', ending(2), { to: dayFromNow(59) })
  await approve(id)
  await settled(id)
  const [first] = (await payments(id)) as [Entry]
  const phone = newNumber()
  await portal.owner.query(
    "update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1 and n = 2",
    [id],
  )
  await stage.progress(id, ({ round }) => round?.n === 2 && round.failed === 1)
  await stage.killWorker()
  // Both rounds have failed. The second payment is made again, and no worker has sent it yet.
  const [second] = (await payments(id)) as [Entry]
  expect((await retry([second])).status).toBe(200)
  expect((await propose(first, phone)).status).toBe(200)
  expect((await decide(await waitingOf('Made again'), 'approved')).status).toBe(200)
  expect(await stage.attemptsOf(second)).toMatchObject([
    { n: 1, state: 'failed' },
    { n: 2, state: 'failed' },
    { n: 3, state: 'pending', user_id: approver.user.id },
  ])
  stage.startWorker()
  await settled(id)
  expect(await payments(id)).toMatchObject([{ status: 'success', receiver_phone_number: phone }])
  const lines = (await agency.ledger()).filter(({ reference }) => reference === second.reference)
  expect(lines.map((line) => [line.phone, line.executed])).toEqual([
    [second.receiver_phone_number, 0],
    [phone, 1],
  ])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a payment of a round that was made before a correction and still waits goes to the corrected number', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Made before', ending(2), { to: dayFromNow(59) })
  await approve(id)
  await settled(id)
  const [wrong] = (await payments(id)) as [Entry]
  await stage.killWorker()
  await portal.owner.query(
    "update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1 and n = 2",
    [id],
  )
  expect((await approver.post(`/admin/transfers/cohorts/${id}/rounds/2/start`)).status).toBe(200)
  const phone = newNumber()
  expect((await propose(wrong, phone)).status).toBe(200)
  expect((await decide(await waitingOf('Made before'), 'approved')).status).toBe(200)
  stage.startWorker()
  await settled(id)
  const [second] = (await payments(id)) as [Entry]
  expect(second).toMatchObject({ status: 'success', receiver_phone_number: phone })
  const line = (await agency.ledger()).find(({ reference }) => reference === second.reference)
  expect(line).toMatchObject({ phone, executed: 1 })
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a payment that was under way when a correction was approved, and fails, is made again to the corrected number', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Under way', ending(2), { to: dayFromNow(59) })
  await approve(id)
  await settled(id)
  const [wrong] = (await payments(id)) as [Entry]
  await agency.set({ latency_ms: 4_000 })
  await portal.owner.query(
    "update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1 and n = 2",
    [id],
  )
  await stage.progress(id, ({ round }) => round?.n === 2 && round.sending === 1)
  const phone = newNumber()
  expect((await propose(wrong, phone)).status).toBe(200)
  expect((await decide(await waitingOf('Under way'), 'approved')).status).toBe(200)
  await stage.progress(id, ({ round }) => round.failed === 1)
  await agency.set({ latency_ms: 0 })
  const [second] = (await payments(id)) as [Entry]
  expect(second).toMatchObject({ status: 'failed', receiver_phone_number: phone, corrected: true })
  expect((await retry([second])).status).toBe(200)
  await settled(id)
  const lines = (await agency.ledger()).filter(({ reference }) => reference === second.reference)
  expect(lines.map((line) => [line.phone, line.executed])).toEqual([
    [wrong.receiver_phone_number, 0],
    [phone, 1],
  ])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})
