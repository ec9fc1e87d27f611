import { expect, test } from 'vitest'
import { takeHeldAgency } from '../../../src/transfers/engine/agency-lease.service.ts'
import { makeRound } from '../../../src/transfers/rounds/rounds.service.ts'
import { claimList } from '../../../src/transfers/sending-hold/hold-lists.service.ts'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { lettersTo } from '../../access/accounts-outbox.ts'
import { addRound } from '../../people.ts'
import { until } from '../../portal.ts'
import { holdPath as path, startHolds } from './holds.ts'

const stage = await startHolds()
const { agency, portal, pool, approver, asked, moveMark, newRound } = stage
const { payElsewhere, payments, readHold, received, settled, work } = stage
const auditor = await portal.signedInAs('Auditor')
type Hold = { failure: string | null; state: string }
const idsOf = async (round: number): Promise<number[]> =>
  (
    await pool.query('select id from transfer_payrolls where payroll_group_id = $1 order by id', [round])
  ).rows.map(({ id }) => id)

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

test('the agency is not asked about an order that was in flight when sending was held before the order has arrived', async () => {
  await pool.query('update sending_marks set line_seconds = 3600')
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  const { round } = await newRound(1)
  await compareMarks(portal.context)
  await pool.query('update sending_marks set line_seconds = 0')
  // Asking now would be too early: the agency would say that it does not know the order.
  expect(await takeHeldAgency(pool, 'somebody')).toBeNull()
  expect(await claimList(portal.db)).toBeNull()
  const [late] = await payments(round)
  if (!late) throw new Error('no payment')
  await payElsewhere(late)
  await pool.query('update sending_hold_questions set ask_at = now() where ask_at > now()')
  await pool.query('update sending_hold_lists set ask_at = now() where ask_at > now()')
  await work()
  expect(await asked()).toMatchObject({ learned: 1 })
  expect((await payments(round)).map(({ status }) => status)).toEqual(['success'])
  await approver.post(`${path}/release`)
  expect(await received(round)).toBe(1)
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

test('an approver must confirm a round whose agency does not answer before sending continues', async () => {
  await agency.set({ unreachable: true })
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  const { round } = await newRound(2)
  await work()
  await until(async () => (await readHold())?.rounds[0]?.failure === 'unreachable')
  const early = await approver.post(`${path}/release`)
  expect([early.status, early.body.message]).toEqual([
    409,
    expect.stringMatching(/^Payments that were not asked about yet: \d+\. Wait, or confirm the rounds/),
  ])
  expect((await auditor.post(`${path}/rounds/${round}/confirm`)).status).toBe(403)
  for (const { id } of (await readHold()).rounds)
    expect((await approver.post(`${path}/rounds/${id}/confirm`)).status).toBe(200)
  expect((await approver.post(`${path}/rounds/${round}/confirm`)).status).toBe(409)
  await until(async () =>
    (await readHold())?.lists.every(({ state }: { state: string }) => state !== 'reading'),
  )
  await agency.set({ unreachable: false })
  expect((await approver.post(`${path}/release`)).status).toBe(200)
  await settled(round)
  expect(await received(round)).toBe(2)
})

/** Raises a hold that nobody can answer, and ends it. What the lost database sent is asked about before it is sent. */
async function releasedUnasked() {
  await agency.set({ unreachable: true })
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await work()
  await until(async () => (await readHold())?.rounds.every(({ failure }: Hold) => failure === 'unreachable'))
  for (const { id } of (await readHold()).rounds) await approver.post(`${path}/rounds/${id}/confirm`)
  await until(async () => (await readHold()).lists.every(({ state }: Hold) => state !== 'reading'))
  await stage.rest()
  await agency.set({ unreachable: false })
  expect((await approver.post(`${path}/release`)).status).toBe(200)
}

/** Two people correct the numbers of a list. */
async function correctNumbers(cohort: number, phones: readonly string[]) {
  const officer = await portal.signedInAs('Transfer Officer')
  const { rows } = await pool.query<{ id: number }>(
    'select id from transfer_master_list where cohort_id = $1 order by id',
    [cohort],
  )
  for (const [n, { id }] of rows.entries()) {
    const proposed = await officer.post(`/admin/transfers/master-list/${id}/corrections`, {
      receiver_phone_number: phones[n],
      reason: 'The guardian has another number since June',
    })
    expect(proposed.status).toBe(200)
  }
  const { body } = await approver.get('/admin/transfers/corrections?per_page=100')
  for (const { id } of body.corrections.data) {
    const decided = await approver.post(`/admin/transfers/corrections/${id}/decide`, { action: 'approved' })
    expect(decided.status).toBe(200)
  }
}

/** What moved at the agency for these payments. */
const moved = async (orders: Parameters<typeof stage.linesOf>[0]) =>
  (await stage.linesOf(orders))
    .filter(({ executed }) => executed > 0)
    .map(({ reference, phone, executed }) => [reference, phone, executed])

test('an order that only a lost database may have sent keeps its recipient until its agency was asked, and goes by the correction if it was not sent', async () => {
  // Two rounds have failed. The payments of the second one are made again, and the lost database sent one of them.
  const { cohort, round: first } = await newRound(2, () => 3)
  await portal.owner.query(
    "insert into transfer_rounds (cohort_id, n, due_on) values ($1, 2, (now() at time zone 'utc')::date)",
    [cohort],
  )
  await work()
  const round = await until(async () => {
    const { rows } = await pool.query<{ id: number }>(
      'select id from transfer_payroll_groups where cohort_id = $1 and id <> $2 and failed = 2',
      [cohort, first],
    )
    return rows[0]?.id
  })
  await stage.rest()
  const [sent, unsent] = await payments(round)
  if (!sent || !unsent) throw new Error('no payments')
  await agency.set({ corrected: [sent.phone, unsent.phone] })
  const again = await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: await idsOf(round) })
  expect(again.status).toBe(200)
  const { rows: keys } = await pool.query('select payment_key($1, 2) as second', [sent.reference])
  await payElsewhere({ ...sent, key: keys[0].second })
  await releasedUnasked()
  await correctNumbers(cohort, ['+22379000110', '+22379000210'])
  await work()
  expect((await settled(round)).map(({ phone }) => phone)).toEqual([sent.phone, '+22379000210'])
  expect(await moved([sent, unsent])).toEqual([
    [sent.reference, sent.phone, 1],
    [unsent.reference, '+22379000210', 1],
  ])
})

test('a girl who is put on hold before her number is corrected is not paid twice, although a lost database may have paid her', async () => {
  const { cohort, round } = await newRound(1, () => 3)
  await work()
  await until(async () => (await payments(round)).every(({ status }) => status === 'failed'))
  await stage.rest()
  const [girl] = await payments(round)
  if (!girl) throw new Error('no payment')
  await agency.set({ corrected: [girl.phone, '+22379000510'] })
  const again = async () =>
    approver.post('/admin/transfers/payrolls/retry', { payroll_ids: await idsOf(round) })
  expect((await again()).status).toBe(200)
  const { rows: keys } = await pool.query('select payment_key($1, 2) as second', [girl.reference])
  await payElsewhere({ ...girl, key: keys[0].second })
  await releasedUnasked()

  const officer = await portal.signedInAs('Transfer Officer')
  const holds = '/admin/transfers/payee-holds'
  const { rows } = await pool.query('select student_id from transfer_master_list where cohort_id = $1', [
    cohort,
  ])
  const put = await officer.post(holds, { student_id: rows[0].student_id, reason: 'Two families claim her' })
  expect(put.status).toBe(200)
  expect(await payments(round)).toMatchObject([{ status: 'failed' }])
  await correctNumbers(cohort, ['+22379000510'])
  const { body } = await approver.get(`${holds}?state=open`)
  expect((await approver.post(`${holds}/${body.holds.data[0].id}/release`)).status).toBe(200)
  expect((await again()).status).toBe(200)
  await work()
  expect((await settled(round)).map(({ phone }) => phone)).toEqual([girl.phone])
  expect(await moved([girl])).toEqual([[girl.reference, girl.phone, 1]])
})

test('what was sent until a backup was restored during a hold is asked about, and not only what was sent until the hold', async () => {
  await agency.set({ unreachable: true })
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await work()
  await until(async () => await readHold())
  await portal.owner.query(
    "update sending_holds set raised_at = now() - interval '4 days' where released_at is null",
  )
  await stage.rest()
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await work()
  const lateAgain = async () => {
    const { rowCount } = await pool.query(
      "select from sending_holds where released_at is null and raised_at > now() - interval '1 day'",
    )
    return rowCount === 1
  }
  expect(await until(lateAgain)).toBe(true)
})

test('a list whose failed payment a lost database may have made again stays with its agency, because no other one knows of it', async () => {
  const { cohort, round } = await newRound(2, (n) => (n === 0 ? 3 : 10))
  await work()
  await until(async () => (await payments(round)).map(({ status }) => status).join() === 'failed,success')
  await stage.rest()
  const [girl] = await payments(round)
  if (!girl) throw new Error('no payment')
  await agency.set({ corrected: [girl.phone] })
  const { rows: keys } = await pool.query('select payment_key($1, 2) as second', [girl.reference])
  await payElsewhere({ ...girl, key: keys[0].second })
  await releasedUnasked()

  const { rows } = await portal.owner.query(
    `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, user_id)
     select 'Another', 'Another', type, country, fees, endpoint, protocol, details, user_id from transfer_agencies limit 1 returning id`,
  )
  const officer = await portal.signedInAs('Transfer Officer')
  const wanted = { transfer_agency_id: rows[0].id, reason: 'It does not answer' }
  const move = await officer.post(`/admin/transfers/cohorts/${cohort}/move`, wanted)
  expect([move.status, move.body.message]).toEqual([
    409,
    expect.stringContaining('Rounds that the present agency may have got from a lost database: 1.'),
  ])
  expect(
    (
      await approver.post('/admin/transfers/payrolls/retry', {
        payroll_ids: (await idsOf(round)).slice(0, 1),
      })
    ).status,
  ).toBe(200)
  await work()
  await settled(round)
  expect(await moved([girl])).toEqual([[girl.reference, girl.phone, 1]])
})

test('a payment of a round that only a lost database has begun keeps its recipient until its agency was asked, too', async () => {
  const { cohort, round: first } = await newRound(2, () => 3)
  await work()
  await until(async () => (await payments(first)).every(({ status }) => status === 'failed'))
  await stage.rest()
  await portal.owner.query(
    "insert into transfer_rounds (cohort_id, n, due_on) values ($1, 2, (now() at time zone 'utc')::date)",
    [cohort],
  )
  const round = await portal.db.transaction().execute((tx) => makeRound(tx, cohort, 2))
  const [sent, unsent] = await payments(round)
  if (!sent || !unsent) throw new Error('no payments')
  await agency.set({ corrected: [sent.phone] })
  await payElsewhere(sent)
  await releasedUnasked()
  await correctNumbers(cohort, ['+22379000310', '+22379000410'])
  await work()
  expect((await settled(round)).map(({ phone }) => phone)).toEqual([sent.phone, '+22379000410'])
  expect(await moved([sent, unsent])).toEqual([
    [sent.reference, sent.phone, 1],
    [unsent.reference, '+22379000410', 1],
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
