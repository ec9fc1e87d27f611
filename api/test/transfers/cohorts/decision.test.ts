import { expect, test } from 'vitest'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { addPeople, addRound } from '../../people.ts'
import { startPortal } from '../../portal.ts'

const stage = await startStage(60)
const { portal, officer, approver, imported, approve, cohort } = stage
await portal.worker()
const path = (id: number) => `/admin/transfers/cohorts/${id}/approve`
const french = { 'accept-language': 'fr' }
let used = 0
/** Students who are in no other cohort, so that no overlap has to be confirmed. */
const fresh = (count: number) => Array.from({ length: count }, () => recipient(++used))
const rounds = async (id: number) =>
  (await portal.owner.query('select n from transfer_payroll_groups where cohort_id = $1', [id])).rows.length

test('an approver who sends an unknown decision reads which decisions there are', async () => {
  const id = await imported('Odd decision', fresh(1))
  for (const body of [{ action: 'perhaps' }, { action: null }, {}]) {
    const refused = await approver.post(path(id), body)
    expect(refused).toMatchObject({
      status: 422,
      body: {
        message: 'Error: Validation errors! Please fill required fields and try again.',
        errors: { action: ['The decision is approved or rejected.'] },
      },
    })
  }
  const refuse = await approver.post(path(id), { action: 'oui' }, french)
  expect(refuse.body.errors.action).toEqual(['La décision est approved ou rejected.'])
  const long = await approver.post(path(id), { action: 'rejected', comment: 'x'.repeat(1001) })
  expect(long.body.errors).toEqual({ comment: ['Write at most 1000 characters.'] })
  const huge = await approve(id, { confirmed_overlaps: [1e300] })
  expect(huge.status).toBe(422)
  expect((await cohort(id)).status).toBe('pending')
})

test('when two approvers approve at the same time, one succeeds, the other reads that it is done, and one round is made', async () => {
  const id = await imported('Two at once', fresh(2))
  const second = await portal.signedInAs('Transfer Approver')
  const body = { action: 'approved', list_hash: (await cohort(id)).list_hash }
  const answers = await Promise.all(
    [approver, second, approver, second].map((who) => who.post(path(id), body)),
  )
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  expect(won[0]?.body.message).toBe('Cohort approved. Payments that are being sent: 2.')
  for (const lost of answers.filter((answer) => answer !== won[0])) {
    expect(lost).toMatchObject({
      status: 409,
      body: { message: 'This cohort was decided in the meantime. Reload the page to see how.' },
    })
  }
  expect(await rounds(id)).toBe(1)
  const refused = await approve(id)
  expect(refused.status).toBe(409)
  expect(await rounds(id)).toBe(1)
  const { rows } = await portal.owner.query(
    "select 1 from audits where auditable_type = 'cohort' and auditable_id = $1 and event = 'approved'",
    [id],
  )
  expect(rows).toHaveLength(1)
})

test('when one approver approves while another rejects, only one decision takes effect', async () => {
  const id = await imported('Both ways', fresh(1))
  const second = await portal.signedInAs('Transfer Approver')
  const answers = await Promise.all([approve(id), second.post(path(id), { action: 'rejected' })])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const approved = answers[0]?.status === 200
  expect((await cohort(id)).status).toBe(approved ? 'approved' : 'rejected')
  expect(await rounds(id)).toBe(approved ? 1 : 0)
})

test('an approver whose page shows an outdated list is asked to reload it', async () => {
  const id = await imported('Looked at', fresh(1))
  const { list_hash } = await cohort(id)
  expect(list_hash).toMatch(/^[0-9a-f]{64}$/)
  const refused = await approve(id, { list_hash: '0'.repeat(64) })
  expect(refused).toMatchObject({
    status: 409,
    body: { message: 'The list has changed since you opened it. Reload the page and look at it again.' },
  })
  expect((await approve(id, { list_hash })).status).toBe(200)
})

test('an approver rejects or retries only the list that her page shows', async () => {
  const changed = 'The list has changed since you opened it. Reload the page and look at it again.'
  const id = await imported('Rejected as seen', fresh(1))
  const { list_hash } = await cohort(id)
  const reject = (hash: string) => approver.post(path(id), { action: 'rejected', list_hash: hash })
  expect(await reject('0'.repeat(64))).toMatchObject({ status: 409, body: { message: changed } })
  expect((await cohort(id)).status).toBe('pending')
  expect((await reject(list_hash)).status).toBe(200)

  const halted = await imported('Retried as seen', fresh(1), { from: dayFromNow(2), to: dayFromNow(30) })
  await approve(halted)
  await portal.owner.query(
    "update transfer_cohorts set status = 'error', error_reason = 'unreachable' where id = $1",
    [halted],
  )
  const { list_hash: seen } = await cohort(halted)
  const retry = (hash: string) => approve(halted, { list_hash: hash, comment: 'The agency is back' })
  expect(await retry('0'.repeat(64))).toMatchObject({ status: 409, body: { message: changed } })
  expect((await cohort(halted)).status).toBe('error')
  expect((await retry(seen)).status).toBe(200)
  expect(await cohort(halted)).toMatchObject({ status: 'approved', comment: 'The agency is back' })
})

test('an approver starts no missed round while the agency is inactive, and starts it once it is active again', async () => {
  const admin = await portal.signedInAs('Administrator')
  const id = await imported('Missed before', fresh(2), { from: dayFromNow(-40), to: dayFromNow(40) })
  expect((await approve(id)).status).toBe(200)
  await stage.progress(id, ({ round }) => round?.executed_at)
  const agency = (status: string) => admin.put('/admin/transfers/agency/1', { status })
  expect((await agency('inactive')).status).toBe(200)
  const start = () => approver.post(`/admin/transfers/cohorts/${id}/rounds/1/start`)
  expect(await start()).toMatchObject({
    status: 409,
    body: { message: 'The transfer agency is not active.' },
  })
  expect((await cohort(id)).rounds[0]).toMatchObject({ n: 1, state: 'missed', payroll_group_id: null })
  expect((await agency('active')).status).toBe(200)
  expect((await start()).status).toBe(200)
})

test('when an approver rejects a cohort, the officer is notified of the reason and may upload the file again; the cohort cannot be approved later', async () => {
  const rows = fresh(1)
  const id = await imported('Rejected', rows)
  const rejected = await approver.post(path(id), { action: 'rejected', comment: '  Two names are wrong.  ' })
  expect(rejected).toMatchObject({
    status: 200,
    body: { message: 'Cohort rejected. The requester was notified.' },
  })
  expect(await cohort(id)).toMatchObject({
    status: 'rejected',
    comment: 'Two names are wrong.',
    decided_by: { first_name: 'Awa' },
    rounds: [],
    payrolls_count: 0,
  })
  const notifications = (await officer.get('/notifications')).body.notifications.data
  expect(notifications[0]).toMatchObject({
    text: expect.stringContaining('Your cohort "Rejected" was rejected.'),
    link: `/admin/transfers/cohorts/${id}/summary`,
  })
  for (const action of ['approved', 'rejected'])
    expect((await approver.post(path(id), { action })).status).toBe(409)
  const again = await imported('Rejected', rows)
  expect(again).not.toBe(id)
  expect((await cohort(again)).status).toBe('pending')
})

test('an officer who may also approve cannot approve her own list, retry it or start a round of it', async () => {
  const both = await portal.signedIn('transfers.view', 'cohorts.create', 'cohorts.approve')
  const id = await imported('Her own', fresh(1))
  await portal.owner.query('update transfer_cohorts set user_id = $1 where id = $2', [both.user.id, id])
  const sentence = 'You uploaded this target list, so somebody else must decide on it.'
  expect((await both.get(`/admin/transfers/cohorts/${id}/summary`)).body.cohort.check.barred).toBe(sentence)
  expect((await cohort(id)).check.barred).toBeNull()
  expect(await both.post(path(id), { action: 'approved' })).toMatchObject({
    status: 403,
    body: { message: sentence },
  })
  const refuse = await both.post(path(id), { action: 'approved' }, french)
  expect(refuse.body.message).toBe(
    'Vous avez envoyé cette liste cible\u00a0: une autre personne doit en décider.',
  )
  expect((await approve(id)).status).toBe(200)
  const start = await both.post(`/admin/transfers/cohorts/${id}/rounds/1/start`)
  expect(start).toMatchObject({ status: 403, body: { message: sentence } })
  await portal.owner.query(
    "update transfer_cohorts set status = 'error', error_reason = 'funds' where id = $1",
    [id],
  )
  expect(await both.post(path(id), { action: 'approved' })).toMatchObject({
    status: 403,
    body: { message: sentence },
  })
  expect((await cohort(id)).status).toBe('error')
})

test('without four eyes an officer may approve the list she uploaded', async () => {
  const demo = await startPortal({ agencyHosts: [stage.agency.host], fourEyes: false })
  const { officer: owner } = await addPeople(demo.db, 3, stage.agency.url)
  const { cohort: id } = await addRound(demo.db, owner, 2, 'Own')
  const both = await demo.signedIn('transfers.view', 'cohorts.approve')
  await demo.owner.query(
    "update transfer_cohorts set user_id = $1, status = 'error', error_reason = 'funds' where id = $2",
    [both.user.id, id],
  )
  expect((await both.get(`/admin/transfers/cohorts/${id}/summary`)).body.cohort.check.barred).toBeNull()
  const retried = await both.post(path(id), { action: 'approved' })
  expect(retried).toMatchObject({
    status: 200,
    body: { message: 'The cohort is approved again. Its round goes on.' },
  })
})

test('an approver must confirm students who are already paid by overlapping cohorts, cohort by cohort', async () => {
  const rows = fresh(3)
  const first = await imported('Overlap one', rows)
  expect((await approve(first)).status).toBe(200)
  const other = await imported('Overlap two', rows.slice(0, 1), { from: dayFromNow(27), to: dayFromNow(50) })
  expect((await cohort(other)).check.overlaps).toEqual([
    { cohort_id: first, cohort_name: 'Overlap one', students: 1 },
  ])
  // A number of one reads as well as any other, in both languages.
  expect((await approve(other)).body.message).toBe(
    'Students who are also in "Overlap one", whose period overlaps: 1. Confirm that they are to be paid by both.',
  )
  const inFrench = await approver.post(path(other), { action: 'approved' }, french)
  expect(inFrench.body.message).toMatch(/dont la période chevauche celle-ci\u00a0: 1\. Confirmez/)
  expect((await approve(other, { confirmed_overlaps: [first] })).body.message).toBe(
    `Cohort approved. Payments that will be sent on ${dayFromNow(27).split('-').reverse().join('/')}: 1.`,
  )
  const third = await imported('Overlap three', rows)
  expect((await cohort(third)).check.overlaps).toEqual([
    { cohort_id: first, cohort_name: 'Overlap one', students: 3 },
    { cohort_id: other, cohort_name: 'Overlap two', students: 1 },
  ])
  for (const confirmed of [undefined, [], [other], [first], [999]]) {
    const refused = await approve(third, confirmed && { confirmed_overlaps: confirmed })
    expect(refused.status, JSON.stringify(confirmed)).toBe(409)
    expect(refused.body.message).toMatch(/also in "Overlap (one|two)", whose period overlaps: [13]\./)
  }
  expect((await approve(third, { confirmed_overlaps: [first, other] })).status).toBe(200)
  // The log names what she confirmed, and only that.
  const { rows: log } = await portal.owner.query(
    `select auditable_id::int as id, new_values->'confirmed_overlaps' as confirmed from audits a join audit_values w on w.audit_id = a.id
     where auditable_type = 'cohort' and event = 'approved' and auditable_id = any($1) order by a.id`,
    [[first, other, third]],
  )
  expect(log).toEqual([
    { id: first, confirmed: null },
    { id: other, confirmed: [first] },
    { id: third, confirmed: [first, other] },
  ])
  const after = await imported('Overlap none', rows, { from: dayFromNow(60), to: dayFromNow(70) })
  expect((await approve(after)).status).toBe(200)
})

test('when two lists with the same students are approved at the same time, the second approver is asked about the overlap', async () => {
  const rows = fresh(2)
  const ids = [await imported('Race one', rows), await imported('Race two', rows)]
  const answers = await Promise.all(ids.map((id) => approve(id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('an approver cannot approve a list while its agency or parameter is inactive', async () => {
  const admin = await portal.signedInAs('Administrator')
  const id = await imported('Inactive', fresh(1))
  for (const [what, message] of [
    ['agency', 'The transfer agency is not active.'],
    ['parameter', 'The transfer parameter is not active.'],
  ]) {
    expect((await admin.put(`/admin/transfers/${what}/1`, { status: 'inactive' })).status).toBe(200)
    expect(await approve(id)).toMatchObject({ status: 409, body: { message } })
    await admin.put(`/admin/transfers/${what}/1`, { status: 'active' })
  }
  expect(await rounds(id)).toBe(0)
  expect((await approve(id)).status).toBe(200)
})

test('a person needs the permission and an existing cohort to decide, stop or start', async () => {
  const id = await imported('Who may', fresh(1))
  for (const call of ['approve', 'stop', 'resume', 'rounds/1/start']) {
    const body = call === 'approve' ? { action: 'approved' } : undefined
    const barred = await officer.post(`/admin/transfers/cohorts/${id}/${call}`, body)
    expect(barred).toMatchObject({
      status: 403,
      body: { message: 'You do not have the permission for this.' },
    })
    for (const wrong of ['0', '-1', 'abc', '1.5', '999999', '99999999999999999999'])
      expect(
        (await approver.post(`/admin/transfers/cohorts/${wrong}/${call}`, body)).status,
        `${wrong}/${call}`,
      ).toBe(404)
  }
  for (const call of ['stop', 'resume', 'rounds/1/start'])
    expect((await approver.post(`/admin/transfers/cohorts/${id}/${call}`)).status, call).toBe(409)
  await approve(id)
  for (const n of ['0', '99', '2147483648', '9007199254740991'])
    expect((await approver.post(`/admin/transfers/cohorts/${id}/rounds/${n}/start`)).status, n).toBe(404)
})
