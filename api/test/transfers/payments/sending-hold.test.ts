import { expect, test } from 'vitest'
import { lettersTo } from '../../access/accounts-outbox.ts'
import { addRound } from '../../people.ts'
import { until } from '../../portal.ts'
import { holdPath as path, startHolds } from './holds.ts'

const stage = await startHolds()
const {
  agency,
  portal,
  pool,
  approver,
  asked,
  moveMark,
  newRound,
  payElsewhere,
  payments,
  readHold,
  received,
  settled,
  work,
  idsOf,
} = stage

const auditor = await portal.signedInAs('Auditor')

test('after a restored backup nobody is paid until the agency has answered about every payment and an approver has entered her password', async () => {
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  const { round } = await newRound(5)
  await work()
  const hold = await asked()
  expect(hold).toMatchObject({
    reasons: ['The database is older than what was sent from it: a backup was restored.'],
    entries: 5,
    unknown_here: 0,
    to_miss: 0,
  })
  expect(hold.rounds).toMatchObject([{ id: round, entries: 5, asked: 5, failure: null }])
  expect(await received(round)).toBe(0)

  expect((await auditor.get(path)).body.hold.id).toBe(hold.id)
  expect((await auditor.post(`${path}/release`)).status).toBe(403)
  await pool.query("update sessions set created_at = now() - interval '6 minutes' where user_id = $1", [
    approver.user.id,
  ])
  const refused = await approver.post(`${path}/release`)
  expect([refused.status, refused.body]).toEqual([
    403,
    { message: 'For this act, confirm with your password that it is you.', reauthenticate: true },
  ])
  expect(await received(round)).toBe(0)
  await approver.post('/login', { email: approver.user.email, password: approver.user.password })
  expect((await approver.post(`${path}/release`)).body.message).toBe('Sending goes on. Missed rounds: 0.')
  expect(await readHold()).toBeNull()
  await settled(round)
  expect(await received(round)).toBe(5)
  const { rows } = await pool.query(
    "select event, user_id from audits where auditable_type = 'sending hold' and auditable_id = $1 order by id",
    [hold.id],
  )
  expect(rows).toEqual([
    { event: 'sending held', user_id: null },
    { event: 'sending released', user_id: approver.user.id },
  ])
})

test('approvers are notified of a hold in the portal and by e-mail, with the reason and a link to the page that ends it', async () => {
  await moveMark((mark) => ({ timeline: '0000002A', at: mark.at }))
  await newRound(1)
  await work()
  await asked()
  const { body } = await approver.get('/notifications')
  expect(body.notifications.data[0]).toMatchObject({
    text: 'Sending is held for all cohorts. Another database server took over, and the last payments may be missing from it.',
    link: path,
  })
  const letter = await until(async () =>
    lettersTo(portal, approver.user.email).find((text) => text.includes('Un autre serveur')),
  )
  expect(letter).toContain(`${portal.settings.publicUrl}${path}`)
})

test('an approver sees the agency’s unknown payments in a list, and payments that the agency knows by reference are not sent again', async () => {
  const { round } = await newRound(4)
  const [paid, pending, other] = await payments(round)
  if (!paid || !pending || !other) throw new Error('no payments')
  await payElsewhere(paid)
  await payElsewhere({ ...other, amount: 9_000 })
  await payElsewhere({ reference: 'lost-cohort-1', key: 'lost-key-1', phone: '+22371000010' })
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await work()
  const hold = await asked()
  expect(hold).toMatchObject({ learned: 1, differs: 1, unknown_here: 1 })
  expect(hold.rounds.find(({ id }: { id: number }) => id === round)).toMatchObject({ entries: 4, asked: 4 })
  const { body } = await approver.get(`${path}/differences`)
  expect(
    body.differences.data.map(({ kind, reference, amount, expected, state }: Record<string, unknown>) => ({
      kind,
      reference,
      amount,
      expected,
      state,
    })),
  ).toEqual(
    expect.arrayContaining([
      { kind: 'learned', reference: paid.reference, amount: 10_500, expected: 10_500, state: 'success' },
      { kind: 'differs', reference: other.reference, amount: 9_000, expected: 10_500, state: 'success' },
      { kind: 'unknown_here', reference: 'lost-cohort-1', amount: 10_500, expected: null, state: 'success' },
    ]),
  )
  expect((await payments(round)).map(({ status, n }) => [status, n])).toEqual([
    ['success', 1],
    ['pending', 0],
    ['unknown', 1],
    ['pending', 0],
  ])
  await approver.post(`${path}/release`)
  await until(async () => (await payments(round)).filter(({ status }) => status === 'success').length === 3)
  const lines = (await agency.ledger()).filter(({ reference }) =>
    [paid, pending, other].some((one) => one.reference === reference),
  )
  expect(lines.map(({ executed, received: sent }) => [executed, sent])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ])
})

test('payments retried after the backup are learned from the agency and not retried again, and refused ones stay refused', async () => {
  // All three fail here. The lost database had retried two of them.
  const { round } = await newRound(3, () => 2)
  await work()
  await until(async () => (await payments(round)).every(({ status }) => status === 'failed'))
  const [paid, refused] = await payments(round)
  if (!paid || !refused) throw new Error('no payments')
  const { rows: keys } = await pool.query<{ paid: string; refused: string; then: string }>(
    'select payment_key($1, 2) as paid, payment_key($2, 2) as refused, payment_key($2, 3) as then',
    [paid.reference, refused.reference],
  )
  await payElsewhere({ ...refused, key: keys[0]?.refused ?? '' })
  await agency.set({ corrected: [paid.phone, refused.phone] })
  await payElsewhere({ ...paid, key: keys[0]?.paid ?? '' })
  await payElsewhere({ ...refused, key: keys[0]?.then ?? '' })
  const before = await received(round)
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  expect(await asked()).toMatchObject({ learned: 3 })
  const states = async () => (await payments(round)).map(({ status, n }) => [status, n])
  expect(await states()).toEqual([
    ['success', 2],
    ['success', 3],
    ['failed', 1],
  ])
  await approver.post(`${path}/release`)
  const again = await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: await idsOf(round) })
  expect(again.status).toBe(409)
  expect(Object.keys(again.body.errors)).toHaveLength(2)
  expect(await received(round)).toBe(before)
})

test('an approver sees a payment that the agency calls paid after refusing it; the payment stays failed and cannot be retried', async () => {
  await agency.set({ hostile: [{ mode: 'failed_first' }] })
  const { round } = await newRound(1, () => 50)
  await work()
  await until(async () => (await payments(round)).every(({ status }) => status === 'failed'))
  await agency.set({ hostile: [] })
  const [{ reference } = { reference: '' }] = await payments(round)
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await asked()
  const { body } = await approver.get(`${path}/differences?kind=differs&per_page=100`)
  expect(body.differences.data).toContainEqual(expect.objectContaining({ reference, state: 'success' }))
  expect((await payments(round)).map(({ status, n }) => [status, n])).toEqual([['failed', 1]])
  await approver.post(`${path}/release`)
  const again = await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: await idsOf(round) })
  expect(again.status).toBe(409)
  expect(Object.values(again.body.errors).flat()[0]).toContain('must be looked at first')
  expect(await received(round)).toBe(1)
})

test('an approver decides about a payment that the agency called paid during a hold, and it leaves the arrears', async () => {
  await pool.query('update sending_marks set line_seconds = 0')
  await agency.set({ hostile: [{ mode: 'failed_first' }] })
  const { round } = await newRound(1, () => 51)
  await work()
  await until(async () => (await payments(round)).every(({ status }) => status === 'failed'))
  await agency.set({ hostile: [] })
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await asked()
  await approver.post(`${path}/release`)
  const payroll_ids = await idsOf(round)
  const writeOff = () =>
    approver.post('/admin/transfers/arrears/write-off', { payroll_ids, reason: 'The family has it' })
  expect((await writeOff()).status).toBe(409)
  const { body } = await approver.get(`/admin/transfers/exceptions?state=open&payroll_group_id=${round}`)
  expect(body.exceptions.data).toMatchObject([
    { payroll_id: payroll_ids[0], kind: 'contradiction', answered: 'success', barred: null },
  ])
  const closed = await approver.post(`/admin/transfers/exceptions/${body.exceptions.data[0].id}/close`, {
    decision: 'money_moved',
    reason: 'The agency confirmed it',
  })
  expect(closed.status).toBe(200)
  expect((await writeOff()).status).toBe(200)
  expect(await received(round)).toBe(1)
})

test('a recipient whose payment was about to be retried when sending was held is paid once, after the release', async () => {
  const { round } = await newRound(1, () => 3)
  await work()
  await until(async () => (await payments(round)).every(({ status }) => status === 'failed'))
  await stage.rest()
  const [{ phone } = { phone: '' }] = await payments(round)
  await agency.set({ corrected: [phone] })
  const again = await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: await idsOf(round) })
  expect(again.status).toBe(200)
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await work()
  await asked()
  expect((await payments(round)).map(({ status, n }) => [status, n])).toEqual([['pending', 2]])
  await approver.post(`${path}/release`)
  await settled(round)
  const ours = (await agency.ledger()).filter((line) => line.phone === phone)
  expect(ours.map(({ executed, received: sent }) => [executed, sent])).toEqual([
    [0, 1],
    [1, 1],
  ])
})

test('after 125 days without a worker an approver finds four missed rounds and starts one by hand', async () => {
  const { cohort, round } = await newRound(3)
  const day = 86_400_000
  await portal.owner.query(
    "update transfer_rounds set due_on = (now() at time zone 'utc')::date - 100 where cohort_id = $1",
    [cohort],
  )
  await portal.owner.query(
    "update transfer_payroll_groups set due_on = (now() at time zone 'utc')::date - 100 where cohort_id = $1",
    [cohort],
  )
  await portal.owner.query(
    "insert into transfer_rounds (cohort_id, n, due_on) select $1, n, (now() at time zone 'utc')::date - 100 + 25 * n from generate_series(2, 4) n",
    [cohort],
  )
  await pool.query("update sending_marks set at = now() - interval '125 days'")
  await moveMark((mark) => ({ at: mark.at - 125 * day }))
  await work()
  const hold = await asked()
  expect(hold).toMatchObject({ reasons: ['No worker was running for more than a day.'], to_miss: 3 })
  expect((await approver.post(`${path}/release`)).body.message).toBe('Sending goes on. Missed rounds: 3.')
  const { rows } = await pool.query('select n, state from transfer_rounds where cohort_id = $1 order by n', [
    cohort,
  ])
  expect(rows.map(({ state }) => state)).toEqual(['missed', 'missed', 'missed', 'scheduled'])
  // The fourth round is due today. It is made and paid, and the earlier rounds stay as they are.
  await until(
    async () =>
      (await pool.query('select from transfer_payroll_groups where cohort_id = $1 and success = 3', [cohort]))
        .rowCount,
  )
  expect(await received(round)).toBe(0)
  const started = await approver.post(`/admin/transfers/cohorts/${cohort}/rounds/1/start`)
  expect([started.status, started.body.message]).toEqual([200, 'Round 1 has started.'])
  await settled(round)
  expect(await received(round)).toBe(3)
})

test('an officer who uploaded a list that is being paid cannot release sending', async () => {
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await addRound(portal.db, approver.user.id, 1, 'Her own')
  await work()
  await until(async () => {
    const hold = await readHold()
    return hold && hold.asked === hold.entries
  })
  const answer = await approver.post(`${path}/release`)
  expect([answer.status, answer.body.message]).toEqual([
    403,
    'You uploaded or changed a list that is being paid, its agency or its parameter, so somebody else must release sending.',
  ])
})
