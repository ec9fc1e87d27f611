import { expect, test } from 'vitest'
import { recipient } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { counted, girl, path, startNames } from './name-stage.ts'

const stage = await startNames()
const { portal, officer, approver, imported, gsma, operator, list, read, calls, ended } = stage
let { stopWorker } = stage

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
