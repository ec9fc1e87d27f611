import { expect, test } from 'vitest'
import type { Client } from '../../client.ts'
import { dayFromNow, recipient } from '../../cohorts.ts'
import { runCommand } from '../../commands.ts'
import { once, startBudgets } from './budget-stage.ts'

const { portal, officer, approver, imported, approve, progress, admin, listed, budget } = await startBudgets()
/** What one row of a list costs in a round: its amount and the programme's fees. */
const each = 10_710

test('an approver with a limit starts a missed round of a list from which a girl was erased, and nothing is reserved for the erased one', async () => {
  const { owner } = portal
  const list = await imported('One is erased', [recipient(30), recipient(31)], {
    from: dayFromNow(-60),
    to: dayFromNow(59),
  })
  const other = await imported('Another list', [recipient(32)], once)
  await budget(10 ** 9)
  expect((await approve(list)).status).toBe(200)
  await progress(list, ({ round }) => round?.executed_at)
  const at = `/admin/transfers/cohorts/${list}`
  // A stopped cohort makes no round, so that the planned one can count for this year in whichever month this runs.
  expect((await approver.post(`${at}/stop`)).status).toBe(200)
  const planned = (day: string) =>
    owner.query(
      `update transfer_rounds set due_on = (now() at time zone 'utc')::date + ${day} where cohort_id = $1 and state = 'scheduled'`,
      [list],
    )
  expect((await planned('0')).rowCount).toBe(1)
  const figures = async () => ({
    reserved: (await listed()).reserved,
    missed: (await approver.get('/admin/transfers/arrears')).body.missed.amount,
    round: (await approver.get(`${at}/balance`)).body.needed,
    owed: (await approver.get(`/admin/transfers/cohorts/${other}/balance`)).body.others,
  })
  const before = await figures()
  const erased = await runCommand(portal.settings, 'person-erase', [
    '--student',
    'KYS-000030',
    '--stop-paying',
  ])
  expect(erased).toMatchObject({ code: 0, err: '' })
  const { payable } = (await approver.get(`${at}/summary`)).body.cohort
  expect(payable.amount + payable.fees).toBe(each)
  expect(await figures()).toEqual({
    reserved: before.reserved - each,
    // Two rounds were missed.
    missed: before.missed - 2 * payable.amount,
    round: each,
    owed: before.owed - each,
  })

  await planned('30')
  expect((await approver.post(`${at}/resume`)).status).toBe(200)
  const limited = await portal.signedInAs('Transfer Approver')
  const limit = async (amount: number) =>
    expect((await admin.post(`/admin/users/${limited.user.id}/approval-limit`, { amount })).status).toBe(200)
  const start = () => limited.post(`${at}/rounds/1/start`)
  await limit(each - 1)
  const refused = await start()
  expect(refused.status).toBe(403)
  expect(refused.body.message).toContain(`and this is ${each.toLocaleString('en-US')}.`)
  await limit(each)
  expect((await start()).status).toBe(200)
  await progress(list, ({ round }) => round?.executed_at)
})

test('an approver with a limit reads who may approve a larger list, and approves up to her limit', async () => {
  const limited = await portal.signedInAs('Transfer Approver')
  const set = (amount: unknown, who: Client = admin, id = limited.user.id) =>
    who.post(`/admin/users/${id}/approval-limit`, { amount })
  const list = await imported('Above her limit', [recipient(25), recipient(26)], once)
  await budget(10 ** 9)
  const at = `/admin/transfers/cohorts/${list}`
  expect((await limited.get(`${at}/approval-limit`)).body).toEqual({
    limit: null,
    needed: 2 * each,
    barred: null,
  })
  for (const amount of [0, -5, 1.5, 'many']) expect((await set(amount)).status).toBe(422)
  for (const who of [officer, approver, limited]) expect((await set(1, who)).status).toBe(403)
  expect((await set(1, admin, admin.user.id)).body.message).toMatch(/cannot set your own limit/)
  expect((await set(1, admin, 999_999)).status).toBe(404)
  await portal.owner.query(
    "update sessions set authenticated_at = now() - interval '6 minutes' where user_id = $1",
    [admin.user.id],
  )
  expect((await set(1)).body).toMatchObject({ reauthenticate: true })
  await portal.owner.query('update sessions set authenticated_at = now() where user_id = $1', [admin.user.id])

  expect((await set(2 * each - 1)).status).toBe(200)
  const { barred } = (await limited.get(`${at}/approval-limit`)).body
  const figures = [2 * each - 1, 2 * each].map((francs) => francs.toLocaleString('en-US'))
  expect(barred).toMatch(`You may approve ${figures[0]} XOF at once, and this is ${figures[1]}. Awa Diarra`)
  const refused = await limited.post(`${at}/approve`, { action: 'approved' })
  expect(refused).toMatchObject({ status: 403, body: { message: barred } })
  await expect(
    portal.owner.query(
      `with round as (insert into transfer_rounds (cohort_id, n, due_on) values ($1, 1, now()))
       update transfer_cohorts set status = 'approved', decided_by = $2, decided_at = now() where id = $1`,
      [list, limited.user.id],
    ),
  ).rejects.toMatchObject({ constraint: 'approval_limits_kept' })

  const { body } = await admin.get(`/admin/users/${limited.user.id}`)
  expect(body.user.approval_limit).toBe(2 * each - 1)
  expect((await set(2 * each)).status).toBe(200)
  expect((await limited.post(`${at}/approve`, { action: 'approved' })).status).toBe(200)
  const { rows: log } = await portal.owner.query(
    `select a.user_id::int, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'approval limit set' and a.auditable_id = $1 order by a.id`,
    [limited.user.id],
  )
  expect(log).toEqual([
    {
      user_id: admin.user.id,
      old_values: { approval_limit: null },
      new_values: { approval_limit: 2 * each - 1 },
    },
    {
      user_id: admin.user.id,
      old_values: { approval_limit: 2 * each - 1 },
      new_values: { approval_limit: 2 * each },
    },
  ])
  expect((await set(null)).status).toBe(200)
  expect((await limited.get(`${at}/approval-limit`)).body.limit).toBeNull()
})

test('an administrator with a limit gives nobody a higher one', async () => {
  const second = await portal.signedInAs('Administrator')
  const given = (who: Client, id: number, amount: number | null) =>
    who.post(`/admin/users/${id}/approval-limit`, { amount })
  expect((await given(second, admin.user.id, 500)).status).toBe(200)
  for (const amount of [501, null])
    expect((await given(admin, approver.user.id, amount)).body.message).toMatch(/Your own limit is 500 XOF/)
  expect((await given(admin, approver.user.id, 500)).status).toBe(200)
})

test('an administrator with a limit lets nobody approve more, by no role, permission, e-mail or activation', async () => {
  const [one, second] = [await portal.signedInAs('Administrator'), await portal.signedInAs('Administrator')]
  const limit = (who: Client, id: number, amount: number) =>
    who.post(`/admin/users/${id}/approval-limit`, { amount })
  expect((await limit(second, one.user.id, 500)).status).toBe(200)
  const role = async (name: string) =>
    (await one.get(`/admin/roles/list?search=${name}`)).body.roles.data[0] as {
      id: number
      permissions: { id: number; name: string }[]
    }
  const approvers = await role('Transfer Approver')
  const give = (id: number, role_id: number) =>
    one.put(`/users/profile/update/${id}`, { role_id, assign_role: true })
  const barred = { status: 409, body: { message: expect.stringMatching(/^Your own limit is 500 XOF/) } }

  const friend = await portal.signedIn()
  expect(await give(friend.user.id, approvers.id)).toMatchObject(barred)
  expect((await limit(one, friend.user.id, 500)).status).toBe(200)
  expect((await give(friend.user.id, approvers.id)).status).toBe(200)

  const another = await portal.signedIn()
  const { id: role_id } = (await one.post('/admin/roles', { name: 'Friends' })).body.role
  expect((await give(another.user.id, role_id)).status).toBe(200)
  const permissions = approvers.permissions.map(({ id }) => id)
  expect(await one.post('/admin/permissions', { role_id, permissions })).toMatchObject(barred)

  const { user } = await portal.signedInAs('Transfer Approver')
  const moved = { first_name: 'Awa', last_name: 'Diarra', email: 'mine@test.example' }
  expect(await one.put(`/users/profile/update/${user.id}`, moved)).toMatchObject(barred)
  expect((await second.put(`/users/profile/update/${user.id}`, moved)).status).toBe(200)

  const active = (who: Client, deactivate: boolean) =>
    who.put(`/users/profile/update/${user.id}`, { deactivate })
  expect((await active(one, true)).status).toBe(200)
  expect(await active(one, false)).toMatchObject(barred)
  expect((await limit(one, user.id, 500)).status).toBe(200)
  expect((await active(one, false)).status).toBe(200)
})

test('an administrator with a limit gives roles that approve no money to people without a limit', async () => {
  const [one, second] = [await portal.signedInAs('Administrator'), await portal.signedInAs('Administrator')]
  const limited = await second.post(`/admin/users/${one.user.id}/approval-limit`, { amount: 500 })
  expect(limited.status).toBe(200)
  const [role] = (await one.get('/admin/roles/list?search=School Officer')).body.roles.data
  const colleague = await portal.signedIn()
  const given = await one.put(`/users/profile/update/${colleague.user.id}`, {
    role_id: role.id,
    assign_role: true,
  })
  expect(given.body.user.roles).toContainEqual({ id: role.id, name: 'School Officer' })
})

test('nobody sets the limit of an approver with more permissions, and a limit that stays the same is no entry of the log', async () => {
  const { user } = await portal.signedInAs('Transfer Approver')
  const limit = (who: Client) => who.post(`/admin/users/${user.id}/approval-limit`, { amount: 700 })
  expect(await limit(await portal.signedIn('users.assign-roles'))).toMatchObject({
    status: 403,
    body: { message: 'This person holds permissions that you do not hold.' },
  })
  const second = await portal.signedInAs('Administrator')
  for (const who of [second, second]) expect((await limit(who)).status).toBe(200)
  const { rows } = await portal.owner.query(
    "select user_id::int from audits where event = 'approval limit set' and auditable_id = $1",
    [user.id],
  )
  expect(rows).toEqual([{ user_id: second.user.id }])
})
