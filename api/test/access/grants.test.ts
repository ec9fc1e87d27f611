import { type Permission, permissions } from '@portal/contracts/permissions'
import { expect, test } from 'vitest'
import { syncPermissions } from '../../src/access/permissions.seed.ts'
import { startPortal } from '../portal.ts'
import { roleStage } from './role-stage.ts'

const portal = await startPortal()
const { assign, heldBy, idsOf, roleId, rolesOf } = roleStage(portal)
const { owner } = portal

test('nobody can delete the administrator role or take permissions from it', async () => {
  const admin = await portal.signedInAs('Administrator')
  const id = await roleId('Administrator')
  const before = await heldBy(id)
  expect((await admin.put(`/admin/roles/${id}`, { name: 'Administrator', delete: true })).status).toBe(409)
  expect(
    (await admin.post('/admin/permissions', { role_id: id, permissions: await idsOf('schools.view') }))
      .status,
  ).toBe(409)
  expect(await heldBy(id)).toEqual(before)
})

test('nobody grants a role or permission that they do not have themselves, or takes a role from somebody with more permissions', async () => {
  const helper = await portal.signedIn(
    'users.assign-roles',
    'permissions.assign',
    'roles.manage',
    'schools.view',
  )
  const officer = await roleId('Transfer Officer')
  const refused = await assign(helper, helper.user, officer)
  expect(refused).toMatchObject({
    status: 403,
    body: { message: 'You can only give permissions that you hold yourself.' },
  })
  expect((await assign(helper, helper.user, await roleId('Administrator'))).status).toBe(403)
  const { id } = (await helper.post('/admin/roles', { name: 'Role mine' })).body.role
  const tooMuch = await idsOf('schools.view', 'cohorts.approve')
  expect((await helper.post('/admin/permissions', { role_id: id, permissions: tooMuch })).status).toBe(403)
  expect(await heldBy(id)).toEqual([])
  expect(
    (await helper.post('/admin/permissions', { role_id: id, permissions: await idsOf('schools.view') }))
      .status,
  ).toBe(200)
  expect((await assign(helper, helper.user, id)).status).toBe(200)
  const holder = await portal.account('Transfer Officer')
  expect((await assign(helper, holder, officer, false)).status).toBe(403)
  expect(await rolesOf(holder)).toEqual([officer])
  const colleague = await portal.account(id)
  expect((await assign(helper, colleague, id, false)).status).toBe(200)
  expect(await rolesOf(colleague)).toEqual([])
})

test('nobody deletes a role that allows more than she may, or takes a permission from it that she does not hold', async () => {
  const helper = await portal.signedIn('roles.manage', 'permissions.assign', 'schools.view')
  const admin = await portal.signedInAs('Administrator')
  const { id } = (await admin.post('/admin/roles', { name: 'Role of the approvers' })).body.role
  const both = await idsOf('schools.view', 'cohorts.approve')
  await admin.post('/admin/permissions', { role_id: id, permissions: both })
  const colleague = await portal.account(id)
  const remove = () => helper.put(`/admin/roles/${id}`, { name: 'Role of the approvers', delete: true })
  expect(await remove()).toMatchObject({
    status: 403,
    body: { message: 'This role holds permissions that you do not hold.' },
  })
  const take = async (...names: Permission[]) =>
    helper.post('/admin/permissions', { role_id: id, permissions: await idsOf(...names) })
  expect(await take('schools.view')).toMatchObject({
    status: 403,
    body: { message: 'You can only give or take permissions that you hold yourself.' },
  })
  expect(await heldBy(id)).toEqual(['schools.view', 'cohorts.approve'])
  expect(await rolesOf(colleague)).toEqual([id])
  expect((await take('cohorts.approve')).status).toBe(200)
  await admin.post('/admin/permissions', { role_id: id, permissions: await idsOf('schools.view') })
  expect((await remove()).status).toBe(200)
})

test('an administrator cannot remove the administrator role from herself or from the last administrator', async () => {
  const admin = await portal.signedInAs('Administrator')
  const id = await roleId('Administrator')
  expect((await assign(admin, admin.user, id, false)).status).toBe(403)
  const keeper = await portal.signedIn(...permissions)
  expect((await assign(keeper, admin.user, id, false)).status).toBe(409)
  expect(await rolesOf(admin.user)).toEqual([id])
})

test('a person whose role corrected, held and admitted before an upgrade goes on to do so, and no other role gains it', async () => {
  const admin = await portal.signedInAs('Administrator')
  const made = async (name: string, ...names: Permission[]) => {
    const { id } = (await admin.post('/admin/roles', { name })).body.role
    await admin.post('/admin/permissions', { role_id: id, permissions: await idsOf(...names) })
    return id as number
  }
  const preparing = await made('Role of the preparers', 'cohorts.create')
  const deciding = await made('Role of the deciders', 'cohorts.approve')
  const managing = await made('Role of the operators', 'modules.manage')
  const reading = await made('Role of the readers', 'transfers.view')
  // The database of the version before does not know the new permissions.
  const split = ['recipients.correct', 'arrears.write-off', 'holds.manage', 'modules.admit']
  await owner.query('delete from permissions where name = any($1)', [split])
  await syncPermissions(owner)
  expect((await heldBy(preparing)).sort()).toEqual(['cohorts.create', 'holds.manage', 'recipients.correct'])
  expect((await heldBy(deciding)).sort()).toEqual(['arrears.write-off', 'cohorts.approve', 'holds.manage'])
  expect((await heldBy(managing)).sort()).toEqual(['modules.admit', 'modules.manage'])
  expect(await heldBy(reading)).toEqual(['transfers.view'])
  // What an administrator takes away afterwards stays taken.
  await admin.post('/admin/permissions', { role_id: preparing, permissions: await idsOf('cohorts.create') })
  await syncPermissions(owner)
  expect(await heldBy(preparing)).toEqual(['cohorts.create'])
})

test('a person corrects, writes off, holds and admits with the permission for it, and not with the one for lists or modules', async () => {
  const acts = [
    ['post', '/admin/transfers/master-list/1/corrections', 'recipients.correct', 'cohorts.create'],
    ['post', '/admin/transfers/corrections/1/withdraw', 'recipients.correct', 'cohorts.create'],
    ['post', '/admin/transfers/arrears/write-off', 'arrears.write-off', 'cohorts.approve'],
    ['post', '/admin/transfers/payee-holds', 'holds.manage', 'cohorts.approve'],
    ['post', '/admin/modules/health/admissions', 'modules.admit', 'modules.manage'],
    ['put', '/admin/modules/health/trust', 'modules.admit', 'modules.manage'],
  ] as const
  for (const [method, path, permission, before] of acts) {
    const without = await portal.signedIn('transfers.view', before)
    expect((await without[method](path, {})).status, path).toBe(403)
    const holder = await portal.signedIn('transfers.view', permission)
    expect([404, 422], path).toContain((await holder[method](path, {})).status)
  }
})
