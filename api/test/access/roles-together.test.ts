import type { Permission } from '@portal/contracts/permissions'
import { expect, test } from 'vitest'
import { Client } from '../client.ts'
import { waitingForLock } from '../locks.ts'
import { startPortal } from '../portal.ts'
import { roleStage } from './role-stage.ts'

const portal = await startPortal()
const { assign, idsOf, roleId, rolesOf } = roleStage(portal)
const { owner } = portal

test('when two administrators demote or deactivate each other at the same time, one of them stays an administrator', async () => {
  const id = await roleId('Administrator')
  for (let n = 0; n < 6; n++) {
    await portal.clear()
    const [one, two] = [await portal.signedInAs('Administrator'), await portal.signedInAs('Administrator')]
    const answers = await Promise.all(
      n % 2
        ? [assign(one, two.user, id, false), assign(two, one.user, id, false)]
        : [
            one.put(`/users/profile/update/${two.user.id}`, { deactivate: true }),
            two.put(`/users/profile/update/${one.user.id}`, { deactivate: true }),
          ],
    )
    expect(answers.map(({ status }) => status).sort()[0]).toBe(200)
    expect([401, 403]).toContain(answers.map(({ status }) => status).sort()[1])
    const left = await owner.query(
      'select from users u join user_roles ur on ur.user_id = u.id where ur.role_id = $1 and u.deactivated_at is null',
      [id],
    )
    expect(left.rowCount).toBe(1)
  }
})

test('a user who loses a permission during her call cannot grant it with that call', async () => {
  const admin = await portal.signedInAs('Administrator')
  const helper = await portal.signedIn('users.assign-roles', 'cases.view')
  const { rows } = await owner.query('select role_id from user_roles where user_id = $1', [helper.user.id])
  const { id } = (await admin.post('/admin/roles', { name: 'Role cases' })).body.role
  await admin.post('/admin/permissions', { role_id: id, permissions: await idsOf('cases.view') })
  const target = await portal.account()
  // The test takes the lock, like an administrator during her change. The other call waits for it.
  const blocker = await owner.connect()
  await blocker.query('begin')
  await blocker.query("select pg_advisory_xact_lock(hashtext('access'))")
  const call = assign(helper, target, id)
  await blocker.query(
    "delete from role_permissions where role_id = $1 and permission_id = (select id from permissions where name = 'cases.view')",
    [rows[0].role_id],
  )
  await blocker.query('commit')
  blocker.release()
  expect((await call).status).toBe(403)
  expect(await rolesOf(target)).toEqual([])
})

test('people save names while another one saves hers, and wait only for a change of access', async () => {
  const officer = await portal.signedIn('users.update')
  const person = await portal.account()
  const { rows } = await owner.query('select role_id from user_roles where user_id = $1', [officer.user.id])
  const save = (fields: object) =>
    officer.put(`/users/profile/update/${person.id}`, { first_name: 'Awa', last_name: 'Keïta', ...fields })
  const waiting = async () => (await waitingForLock(owner, { lock: 'advisory' })).length
  const other = await owner.connect()
  // The test holds the lock like another edit, so an e-mail address waits and a name does not.
  await other.query('begin')
  await other.query("select pg_advisory_xact_lock_shared(hashtext('access'))")
  expect((await save({})).status).toBe(200)
  const moved = save({ email: 'awa@test.example' })
  await expect.poll(waiting).toBe(1)
  await other.query('commit')
  expect((await moved).status).toBe(200)
  // Now it holds it like an administrator who takes the permission away.
  await other.query('begin')
  await other.query("select pg_advisory_xact_lock(hashtext('access'))")
  const late = save({ last_name: 'Late' })
  await expect.poll(waiting).toBe(1)
  await other.query('delete from role_permissions where role_id = $1', [rows[0].role_id])
  await other.query('commit')
  other.release()
  expect((await late).status).toBe(403)
  const stored = await owner.query('select last_name, email from users where id = $1', [person.id])
  expect(stored.rows).toEqual([{ last_name: 'Keïta', email: 'awa@test.example' }])
})

test('a person whose role is changed at one api may do more or less at another one with her next call', async () => {
  const { databaseUrl: appUrl, databaseOwnerUrl: ownerUrl = '', dataDir } = portal.settings
  const other = await startPortal({ dataDir }, { appUrl, ownerUrl, drop: async () => {} })
  const admin = await portal.signedInAs('Administrator')
  const person = await portal.signedIn('schools.view')
  const there = new Client(other.http, other.settings.apiBase)
  for (const [name, value] of person.cookies) there.cookies.set(name, value)
  const [role_id] = await rolesOf(person.user)
  const give = async (...names: Permission[]) =>
    expect(
      await admin.post('/admin/permissions', { role_id, permissions: await idsOf(...names) }),
    ).toMatchObject({
      status: 200,
    })
  const reads = async () =>
    [
      await person.get('/admin/schools/list'),
      await there.get('/admin/schools/list'),
      await there.get('/admin/users/list'),
    ].map(({ status }) => status)
  expect(await reads()).toEqual([200, 200, 403])
  await give('schools.view', 'users.view')
  expect(await reads()).toEqual([200, 200, 200])
  await give('users.view')
  expect(await reads()).toEqual([403, 403, 200])
  // As after a standby took over that had lost the last change: the same roles, and an older stamp.
  await owner.query('update access_stamp set stamp = gen_random_uuid()')
  expect(await reads()).toEqual([403, 403, 200])
  await owner.query('delete from user_roles where user_id = $1', [person.user.id])
  expect(await reads()).toEqual([403, 403, 403])
})

test('when one administrator deletes a role while another assigns it, nobody is left with the deleted role', async () => {
  const admin = await portal.signedInAs('Administrator')
  const second = await portal.signedInAs('Administrator')
  const target = await portal.account()
  const { id } = (await admin.post('/admin/roles', { name: 'Role short-lived' })).body.role
  const [missing, given] = await Promise.all([
    admin.put(`/admin/roles/${id}`, { name: 'Role short-lived', delete: true }),
    assign(second, target, id),
  ])
  expect(missing.status).toBe(200)
  expect([200, 422]).toContain(given.status)
  expect(await rolesOf(target)).toEqual([])
})
