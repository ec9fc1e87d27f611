import { Workbook } from 'exceljs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { gsmaAccount, gsmaKey, gsmaSecret, startGsma } from './gsma.ts'

const stage = await startStage(50)
const { portal, officer, approver, imported } = stage
const gsma = await startGsma()
afterAll(() => gsma.close())
portal.settings.agencyHosts.push(gsma.host)
let stopWorker = await portal.worker()

const addOperator = async (name: string) => {
  const made = await (await portal.signedInAs('Administrator')).post('/admin/transfers/agency', {
    name,
    description: 'Account of the programme',
    type: 'mobile_money',
    country: 'ml',
    fees: 1,
    endpoint: gsma.endpoint,
    details: {
      protocol: 'gsma',
      paying_account: gsmaAccount,
      api_key: gsmaKey,
      callback_secret: gsmaSecret,
      concurrency: 5,
    },
  })
  expect(made.status).toBe(200)
  const { rows } = await portal.owner.query('select id from transfer_agencies where name = $1', [name])
  return rows[0].id as number
}
const operator = await addOperator('GSMA Mali')

/** The operator knows every number as that of "Diarra AWA", except those that end in 02, 13 and 14. */
const girl = (n: number, first: string, last: string, lastTwo = 20) => [
  first,
  last,
  ...recipient(n, { lastTwo }).slice(2),
]
const path = (id: number, more = '') => `/admin/transfers/cohorts/${id}/names${more}`
const read = async (id: number) => (await approver.get(path(id))).body
const calls = async () => (await gsma.ledger()).calls
const ended = (id: number) =>
  until(async () => {
    const found = await read(id)
    return found.check && found.check.state !== 'running' && found
  }, 20_000)

type Count = { state: string; count: number }
const counted = ({ counts }: { counts: Count[] }) =>
  Object.fromEntries(counts.filter(({ count }) => count > 0).map(({ state, count }) => [state, count]))

let list = 0
let shared = ''
beforeAll(async () => {
  const first = girl(1, 'Awa', 'Diarra')
  shared = String(first[2])
  list = await imported(
    'Named',
    [
      first,
      // Her sister, with the same guardian and number.
      ['Awa', 'Diarra', shared, 'KYS-000002', null],
      girl(3, 'Awa', 'Diara'),
      girl(4, 'Fatoumata', 'Coulibaly', 13),
      girl(5, 'Mariam', 'Keïta', 14),
      girl(6, 'Oumou', 'Sangaré', 2),
    ],
    { transfer_agency_id: operator },
  )
})

test('an officer has the agency asked about the names of a list, and each number and name is asked about once', async () => {
  const before = await calls()
  expect(counted(await read(list))).toEqual({ unchecked: 6 })
  expect((await officer.post(path(list, '/check'))).status).toBe(200)
  const found = await ended(list)
  expect(found).toMatchObject({
    name: 'Named',
    agency: 'GSMA Mali',
    barred: null,
    fresh_days: 30,
    stale: 0,
    check: { state: 'finished', total: 6, done: 6, unanswered: 0, waits: false, problem: null },
  })
  expect(counted(found)).toEqual({ different: 1, not_found: 1, near: 1, not_told: 1, match: 2 })
  // Five numbers: two calls for each, one for that without an account.
  expect(await calls()).toBe(before + 9)
})

test('an approver sees first what she should look at, with the name that the agency tells', async () => {
  const { names } = (await approver.get(path(list, '/list'))).body
  expect(names.data.map((row: { state: string }) => row.state)).toEqual([
    'different',
    'not_found',
    'near',
    'not_told',
    'match',
    'match',
  ])
  expect(names.data[0]).toMatchObject({
    first_name: 'Fatoumata',
    last_name: 'Coulibaly',
    holder: 'Moussa Traoré',
    student_code: 'KYS-000004',
    within_limits: null,
  })
  const near = (await approver.get(path(list, '/list?state=near&search=diara'))).body.names
  expect(near).toMatchObject({ total: 1, data: [{ holder: 'Diarra AWA' }] })
  const { rows } = await portal.owner.query<{ names: Buffer }>('select names from name_answers')
  expect(rows).toHaveLength(5)
  for (const { names: sealed } of rows) expect(sealed.toString('latin1')).not.toMatch(/Moussa|Coulibaly|Awa/)
})

test('a second check asks only about answers that are too old', async () => {
  const before = await calls()
  await portal.owner.query(
    `update name_answers set answered_at = now() - interval '31 days' where outcome = 'near'`,
  )
  expect((await read(list)).stale).toBe(1)
  await approver.post(path(list, '/check'))
  expect(await ended(list)).toMatchObject({ stale: 0, check: { state: 'finished', done: 6 } })
  expect(await calls()).toBe(before + 2)
})

test('an approver sees flagged in the list of a cohort whose name differs, finds those rows alone, and exports them', async () => {
  const summary = async (query = '') =>
    (await approver.get(`/admin/transfers/cohorts/${list}/summary${query}`)).body.cohort
  const whole = await summary()
  expect(whole.names_differ).toBe(2)
  const states = (rows: { name_state: string }[]) => rows.map(({ name_state }) => name_state)
  expect(states(whole.transfer_master_list.data)).toEqual([
    'match',
    'match',
    'near',
    'different',
    'not_told',
    'not_found',
  ])
  const { transfer_master_list: differing } = await summary('?names=differ')
  expect([differing.total, states(differing.data)]).toEqual([2, ['different', 'not_found']])
  const to = '/admin/transfers/cohorts/export'
  const { body } = await approver.post(to, { cohort_id: list, names: 'differ' })
  const got = await until(async () => {
    const answer = await approver.get(`/storage/exports/${body.file_name}`)
    return answer.status === 200 && answer
  }, 20_000)
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(got.bytes).buffer)
  const sheet = book.worksheets[0]
  const headings = (sheet?.getRow(1).values as string[]) ?? []
  const at = headings.indexOf('Name at the agency')
  const cells = [2, 3, 4].map((n) => sheet?.getRow(n).getCell(at).value)
  expect(cells).toEqual(['Another name', 'No active account', null])
})

test('a check waits while payments of the agency are made, goes on after its worker is gone, and asks nobody twice', async () => {
  const rows = Array.from({ length: 12 }, (_, n) => girl(10 + n, 'Awa', 'Diarra'))
  const id = await imported('Waiting', rows, { transfer_agency_id: operator })
  const before = await calls()
  const lease = (until: string) =>
    portal.owner.query(`update agency_leases set lease_until = ${until} where agency_id = $1`, [operator])
  await stopWorker()
  await lease("now() + interval '1 hour'")
  await officer.post(path(id, '/check'))
  stopWorker = await portal.worker()
  expect((await officer.post(path(id, '/check'))).body.message).toMatch(/already/)
  expect((await read(id)).check).toMatchObject({ state: 'running', waits: true, done: 0 })
  expect(await calls()).toBe(before)
  await lease('null')
  await until(async () => (await read(id)).check.done >= 5, 20_000)
  await stopWorker()
  const { done, state } = (await read(id)).check
  // The agency's rate lets the rest wait.
  expect(state).toBe('running')
  expect(done).toBeLessThan(12)
  // The lease of a worker that was killed runs out.
  await portal.owner.query(
    "update name_checks set fence = fence + 1, leased_until = now() + interval '1 second' where cohort_id = $1",
    [id],
  )
  stopWorker = await portal.worker()
  expect(counted(await ended(id))).toEqual({ match: 12 })
  expect(await calls()).toBe(before + 24)
})

test('an officer cancels a check, and the log says who asked and who cancelled', async () => {
  const id = await imported('Cancelled', [girl(30, 'Awa', 'Diarra'), girl(31, 'Awa', 'Diarra')], {
    transfer_agency_id: operator,
  })
  expect((await officer.post(path(id, '/cancel'))).status).toBe(409)
  await stopWorker()
  await officer.post(path(id, '/check'))
  expect((await officer.post(path(id, '/cancel'))).status).toBe(200)
  stopWorker = await portal.worker()
  expect((await read(id)).check.state).toBe('cancelled')
  expect(counted(await read(id))).toEqual({ unchecked: 2 })
  const { rows } = await portal.owner.query(
    "select event from audits where auditable_type = 'cohort' and auditable_id = $1 and event like 'names %' order by id",
    [id],
  )
  expect(rows.map(({ event }) => event)).toEqual(['names asked', 'names cancelled'])
})

test('an officer whose cohort moves to another agency finds the check at the old one ended, and has the new one asked', async () => {
  const other = await addOperator('GSMA Kayes')
  const id = await imported('Moves meanwhile', [girl(32, 'Awa', 'Diarra')], {
    transfer_agency_id: operator,
    from: dayFromNow(2),
    to: dayFromNow(60),
  })
  await stopWorker()
  expect((await approver.post(`/admin/transfers/cohorts/${id}/approve`, { action: 'approved' })).status).toBe(
    200,
  )
  expect((await officer.post(path(id, '/check'))).status).toBe(200)
  const move = `/admin/transfers/cohorts/${id}/move`
  const reason = 'The operator ends its contract'
  expect((await officer.post(move, { transfer_agency_id: other, reason })).status).toBe(200)
  const { id: proposal } = (await approver.get(move)).body.proposal
  const decide = `/admin/transfers/cohort-moves/${proposal}/decide`
  expect((await approver.post(decide, { action: 'approved' })).status).toBe(200)
  expect((await read(id)).check.state).toBe('cancelled')
  expect((await officer.post(path(id, '/check'))).status).toBe(200)
  stopWorker = await portal.worker()
  expect(counted(await ended(id))).toEqual({ match: 1 })
  const { rows } = await portal.owner.query(
    'select agency_id::int as agency, state from name_checks where cohort_id = $1 order by id',
    [id],
  )
  expect(rows).toEqual([
    { agency: operator, state: 'cancelled' },
    { agency: other, state: 'finished' },
  ])
})

test('what the agency of before said about a name is not taken for what the present one says', async () => {
  const id = await imported('Told by another', [girl(33, 'Awa', 'Diarra')], {
    transfer_agency_id: operator,
    from: dayFromNow(2),
    to: dayFromNow(60),
  })
  expect((await officer.post(path(id, '/check'))).status).toBe(200)
  expect(counted(await ended(id))).toEqual({ match: 1 })
  await stage.approve(id)
  const move = `/admin/transfers/cohorts/${id}/move`
  const to = await addOperator('GSMA Ségou')
  const proposed = await officer.post(move, { transfer_agency_id: to, reason: 'The contract has ended' })
  expect(proposed.status).toBe(200)
  const { id: proposal } = (await approver.get(move)).body.proposal
  const decided = await approver.post(`/admin/transfers/cohort-moves/${proposal}/decide`, {
    action: 'approved',
  })
  expect(decided.status).toBe(200)
  expect(counted(await read(id))).toEqual({ unchecked: 1 })
})

test('a list of an agency that tells no names says so, and readers without the right start nothing', async () => {
  const id = await imported('By sandbox', [recipient(35)])
  expect(await read(id)).toMatchObject({ barred: expect.stringMatching(/does not tell/), fresh_days: null })
  expect((await officer.post(path(id, '/check'))).status).toBe(409)
  const reader = await portal.signedIn('transfers.view')
  const visitor = await portal.visitor()
  expect((await reader.get(path(list))).status).toBe(200)
  for (const act of ['/check', '/cancel']) {
    expect((await reader.post(path(list, act))).status).toBe(403)
    expect((await visitor.post(path(list, act))).status).toBe(401)
    expect((await officer.post(path(999_999, act))).status).toBe(404)
  }
  for (const what of ['', '/list']) {
    expect((await visitor.get(path(list, what))).status).toBe(401)
    expect((await (await portal.signedIn('cases.view')).get(path(list, what))).status).toBe(403)
    expect((await officer.get(path(999_999, what))).status).toBe(404)
  }
})

test('an approver exports the names with the agency’s answers; a reader may not', async () => {
  const to = '/admin/transfers/cohorts/names/export'
  const { status, body } = await approver.post(to, { cohort_id: list })
  expect([status, body.file_name]).toEqual([202, expect.stringMatching(/^names-named-.*\.xlsx$/)])
  const got = await until(async () => {
    const answer = await approver.get(`/storage/exports/${body.file_name}`)
    return answer.status === 200 && answer
  }, 20_000)
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(got.bytes).buffer)
  const row = book.worksheets[0]?.getRow(2)
  expect([1, 2, 3, 4].map((n) => row?.getCell(n).value)).toEqual([
    'Another name',
    'KYS-000004',
    'Fatoumata Coulibaly',
    'Moussa Traoré',
  ])
  expect((await (await portal.signedIn('transfers.view')).post(to, { cohort_id: list })).status).toBe(403)
  expect((await (await portal.visitor()).post(to, { cohort_id: list })).status).toBe(401)
})

type Wanted = Record<string, string>
const ask = (row: number, wanted: Wanted = {}, who: Pick<typeof officer, 'post'> = officer) =>
  who.post(`/admin/transfers/master-list/${row}/name`, wanted)
/** Asks when the agency has no payments under way any more. */
const asked = (row: number, wanted: Wanted = {}) =>
  until(async () => {
    const answer = await ask(row, wanted)
    return answer.status === 200 && answer.body
  }, 20_000)
const firstRow = async (id: number) =>
  (await portal.owner.query('select min(id)::int as id from transfer_master_list where cohort_id = $1', [id]))
    .rows[0].id as number

test('an officer asks whose number it is before she corrects it, and the approver sees what the agency said', async () => {
  const id = await imported('Asked for one', [girl(40, 'Oumou', 'Sangaré', 2)], {
    transfer_agency_id: operator,
  })
  await stage.approve(id)
  const { round } = await stage.progress(id, (now) => now.round?.failed === 1, 30_000)
  const page = async () =>
    (await approver.get(`/admin/transfers/cohorts/payroll/${round.id}`)).body.payrollGroup
  const before = await calls()
  const group = await page()
  const row = group.transfer_payrolls.data[0].master_list_id
  expect(group).toMatchObject({ tells_names: true, transfer_payrolls: { data: [{ name_state: null }] } })
  expect(await asked(row)).toMatchObject({ outcome: 'not_found', holder: null, problem: null })
  expect((await page()).transfer_payrolls.data[0].name_state).toBe('not_found')

  const right = {
    receiver_first_name: 'Awa',
    receiver_last_name: 'Diarra',
    receiver_phone_number: '79 00 41 20',
  }
  expect(await asked(row, right)).toMatchObject({ outcome: 'match', holder: 'Diarra AWA' })
  const after = await calls()
  expect(await asked(row, right)).toMatchObject({ outcome: 'match', holder: 'Diarra AWA' })
  expect(await calls()).toBe(after)
  expect(after).toBeGreaterThan(before)
  // The answer is about a number that the row does not have yet.
  expect((await page()).transfer_payrolls.data[0].name_state).toBe('not_found')

  const reason = 'The guardian called from her own number'
  await officer.post(`/admin/transfers/master-list/${row}/corrections`, { ...right, reason })
  const waiting = (await approver.get(`/admin/transfers/corrections?payroll_group_id=${round.id}`)).body
    .corrections
  expect(waiting.data).toMatchObject([
    { tells_names: true, name_answer: { outcome: 'match', holder: 'Diarra AWA' } },
  ])
  const decide = `/admin/transfers/corrections/${waiting.data[0].id}/decide`
  expect((await approver.post(decide, { action: 'approved' })).status).toBe(200)
  expect((await page()).transfer_payrolls.data[0].name_state).toBe('match')
  expect(counted(await read(id))).toEqual({ match: 1 })
  // Whoever asks about another name at the same number gets another answer, which is none about the recipient.
  const another = { receiver_first_name: 'Fatoumata', receiver_last_name: 'Traoré' }
  expect(await asked(row, another)).toMatchObject({ outcome: 'different', holder: 'Diarra AWA' })
  expect((await page()).transfer_payrolls.data[0].name_state).toBe('match')
  const { rows } = await portal.owner.query(
    "select event from audits where auditable_type = 'cohort' and auditable_id = $1 and event = 'name asked'",
    [id],
  )
  expect(rows).toHaveLength(3)
})

test('a person asks about thirty names an hour, and payments and the agency’s own limits go first', async () => {
  const id = await imported('Asked often', [girl(41, 'Awa', 'Diarra'), girl(42, 'Awa', 'Diarra')], {
    transfer_agency_id: operator,
  })
  const row = await firstRow(id)
  const lease = (until: string) =>
    portal.owner.query(`update agency_leases set lease_until = ${until} where agency_id = $1`, [operator])
  await stopWorker()
  await lease("now() + interval '1 hour'")
  expect((await ask(row)).body.message).toMatch(/^Payments are being made/)
  await lease('null')
  const asks = (who: string, count: number) =>
    portal.owner.query(
      `insert into name_questions (agency_id, user_id, asked_at)
       select $1, u.id, now() - interval '5 minutes' from users u, generate_series(1, $3) where u.email = $2`,
      [operator, who, count],
    )
  await portal.owner.query('delete from name_questions')
  await asks(officer.user.email, 30)
  expect((await ask(row)).body.message).toMatch(/^You have asked about 30 names within an hour/)
  expect((await ask(row, {}, approver)).body).toMatchObject({ outcome: 'match' })
  await expect(asks(officer.user.email, 1)).rejects.toMatchObject({ constraint: 'name_questions_limit' })
  await portal.owner.query("update name_questions set asked_at = asked_at - interval '1 hour'")
  // What the agency was asked in this second counts for whoever asks.
  await portal.owner.query(
    `insert into name_questions (agency_id, user_id, asked_at)
     select $1, u.id, now() + interval '1 minute' from users u, generate_series(1, 5) where u.email = $2`,
    [operator, approver.user.email],
  )
  expect((await ask(row + 1)).body.message).toMatch(/^The agency is being asked about other names/)
  await portal.owner.query('delete from name_questions')
  expect((await ask(row + 1)).body).toMatchObject({ outcome: 'match' })
  stopWorker = await portal.worker()
})

test('nobody asks about a name at an agency that tells none, about a wrong number, or without the right', async () => {
  const row = await firstRow(list)
  expect((await ask(row, { receiver_phone_number: '7012' })).body.errors).toHaveProperty(
    'receiver_phone_number',
  )
  const id = await imported('One by sandbox', [recipient(43)])
  expect((await ask(await firstRow(id))).body.message).toMatch(/does not tell/)
  expect((await ask(999_999)).status).toBe(404)
  expect((await ask(row, {}, await portal.signedIn('transfers.view'))).status).toBe(403)
  expect((await ask(row, {}, await portal.visitor())).status).toBe(401)
})

test('an officer is told that the agency stopped answering, and that she can go on later', async () => {
  const id = await imported('Unanswered', [girl(38, 'Awa', 'Diarra')], { transfer_agency_id: operator })
  await gsma.close()
  await stopWorker()
  await officer.post(path(id, '/check'))
  await portal.owner.query('update name_checks set tries = 5 where cohort_id = $1', [id])
  stopWorker = await portal.worker()
  expect((await ended(id)).check).toMatchObject({
    state: 'failed',
    done: 0,
    problem: expect.stringMatching(/stopped answering/),
  })
})
