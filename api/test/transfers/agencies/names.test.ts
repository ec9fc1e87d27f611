import { expect, test } from 'vitest'
import { dayFromNow, recipient } from '../../cohorts.ts'
import { exported, readyFile, recordsOf, sheetOf } from '../../exports/workbook.ts'
import { until } from '../../portal.ts'
import { counted, girl, path, startNames } from './name-stage.ts'

const stage = await startNames()
const { portal, officer, approver, imported, operator, addOperator, list, read, calls, ended } = stage
let { stopWorker } = stage

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
  const lines = await recordsOf(await exported(approver, to, { cohort_id: list, names: 'differ' }))
  expect(lines.map((line) => line['Name at the agency'])).toEqual(['Another name', 'No active account'])
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
  const row = (await sheetOf(await readyFile(approver, body.file_name))).getRow(2)
  expect([1, 2, 3, 4].map((n) => row.getCell(n).value)).toEqual([
    'Another name',
    'KYS-000004',
    'Fatoumata Coulibaly',
    'Moussa Traoré',
  ])
  expect((await (await portal.signedIn('transfers.view')).post(to, { cohort_id: list })).status).toBe(403)
  expect((await (await portal.visitor()).post(to, { cohort_id: list })).status).toBe(401)
})
