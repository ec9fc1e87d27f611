import { type Permission, permissions } from '@portal/contracts/permissions'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { syncPermissions } from '../../src/access/permissions.seed.ts'
import { Client } from '../client.ts'
import { waitingForLock } from '../locks.ts'
import { type Account, startPortal } from '../portal.ts'

const portal = await startPortal()
const { owner } = portal
beforeEach(() => portal.clear())

const roleId = async (name: string) =>
  (await owner.query('select id from roles where name = $1', [name])).rows[0].id as number
const idsOf = async (...names: Permission[]) =>
  (await owner.query('select id from permissions where name = any($1) order by id', [names])).rows.map(
    (row) => row.id,
  )
const heldBy = async (role: number) =>
  (
    await owner.query(
      'select p.name from role_permissions rp join permissions p on p.id = rp.permission_id where role_id = $1 order by p.id',
      [role],
    )
  ).rows.map((row) => row.name)
const assign = (by: Client, person: Account, role: number, on = true) =>
  by.put(`/users/profile/update/${person.id}`, { id: person.id, role_id: role, assign_role: on })
const rolesOf = async (person: Account) =>
  (await owner.query('select role_id from user_roles where user_id = $1', [person.id])).rows.map(
    (row) => row.role_id,
  )

test('an administrator makes a role, gives it permissions, assigns and removes it, and deletes it', async () => {
  const admin = await portal.signedInAs('Administrator')
  const made = await admin.post('/admin/roles', { name: 'Role of the inspectors' })
  expect(made.body).toMatchObject({
    message: 'Role created',
    role: { permissions: [], users: 0, administrator: false },
  })
  const { id } = made.body.role
  const wanted = await idsOf('schools.view', 'cases.view')
  const given = await admin.post('/admin/permissions', { role_id: id, permissions: wanted })
  expect(given.body).toMatchObject({
    message: 'Permissions assigned',
    role: { permissions: [{ name: 'schools.view' }, { name: 'cases.view' }] },
  })
  await admin.post('/admin/permissions', { role_id: id, permissions: await idsOf('schools.view') })
  expect(await heldBy(id)).toEqual(['schools.view'])
  const person = await portal.signedIn()
  expect((await person.get('/admin/schools/list')).status).toBe(403)
  expect((await assign(admin, person.user, id)).body).toMatchObject({ message: 'Role assigned' })
  expect((await assign(admin, person.user, id)).status).toBe(200)
  expect((await person.get('/admin/schools/list')).status).toBe(200)
  expect((await assign(admin, person.user, id, false)).body).toMatchObject({ message: 'Role removed' })
  expect((await person.get('/admin/schools/list')).status).toBe(403)
  await assign(admin, person.user, id)
  const renamed = await admin.put(`/admin/roles/${id}`, { name: 'Role of the supervisors' })
  expect(renamed.body.role).toMatchObject({ name: 'Role of the supervisors', users: 1 })
  const missing = await admin.put(`/admin/roles/${id}`, { name: 'Role of the supervisors', delete: true })
  expect(missing).toMatchObject({ status: 200, body: { message: 'Role deleted' } })
  expect((await person.get('/admin/schools/list')).status).toBe(403)
  const { rows } = await owner.query(
    `select a.event, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where auditable_type = 'role' and auditable_id = $1 order by a.id`,
    [id],
  )
  expect(rows.map((row) => row.event)).toEqual([
    'created',
    'permissions assigned',
    'permissions assigned',
    'updated',
    'deleted',
  ])
  expect(rows[2]).toMatchObject({
    old_values: { permissions: ['schools.view', 'cases.view'] },
    new_values: { permissions: ['schools.view'] },
  })
  expect(rows[4].old_values).toEqual({
    name: 'Role of the supervisors',
    permissions: ['schools.view'],
    users: [person.user.id],
  })
})

test('an administrator who sends wrong input for a role reads which field is wrong', async () => {
  const admin = await portal.signedInAs('Administrator')
  const { id } = (await admin.post('/admin/roles', { name: 'Role A' })).body.role
  for (const name of [undefined, '', '  ']) {
    expect((await admin.post('/admin/roles', { name })).body.errors).toEqual({
      name: ['Fill in this field.'],
    })
    expect((await admin.put(`/admin/roles/${id}`, { name })).body.errors).toEqual({
      name: ['Fill in this field.'],
    })
  }
  expect((await admin.post('/admin/roles', { name: 'AUDITOR' })).body.errors).toEqual({
    name: ['There is a role of this name already.'],
  })
  expect((await admin.put(`/admin/roles/${id}`, { name: 'auditor' })).body.errors).toHaveProperty('name')
  expect(
    (await admin.put(`/admin/roles/${id}`, { name: 'Role A', delete: 'yes' })).body.errors,
  ).toHaveProperty('delete')
  expect((await admin.put(`/admin/roles/${id}`, { name: 'Role B', delete: false })).status).toBe(200)
  expect((await admin.put('/admin/roles/999999', { name: 'x' })).status).toBe(404)
  expect((await admin.put('/admin/roles/999999', { name: 'x', delete: true })).status).toBe(404)
  const refused = async (body: object) => {
    const answer = await admin.post('/admin/permissions', body)
    expect(answer.status).toBe(422)
    return Object.keys(answer.body.errors)
  }
  expect(await refused({ role_id: id, permissions: [] })).toEqual(['permissions'])
  expect(await refused({ role_id: id })).toEqual(['permissions'])
  expect(await refused({ role_id: id, permissions: [999_999] })).toEqual(['permissions'])
  expect(await refused({ role_id: 999_999, permissions: await idsOf('schools.view') })).toEqual(['role_id'])
  expect(await refused({ permissions: await idsOf('schools.view') })).toEqual(['role_id'])
  const person = await portal.account()
  const missing = await assign(admin, person, 999_999)
  expect(missing).toMatchObject({
    status: 422,
    body: { errors: { role_id: [expect.stringMatching(/not there any more/)] } },
  })
  const half = await admin.put(`/users/profile/update/${person.id}`, { role_id: id })
  expect(half.body.errors).toEqual({ assign_role: ['Send true or false.'] })
})

/** The id of the auditors' role, which is as before once the test has ended: roles outlive a test. */
async function auditorsOfThisTest() {
  const id = await roleId('Auditor')
  onTestFinished(async () => {
    await owner.query(`update roles set name = 'Auditor', requires_totp = false where id = $1`, [id])
  })
  return id
}

test('an administrator finds and sorts roles by the names that she reads in her language', async () => {
  const admin = await portal.signedInAs('Administrator')
  const names = async (query: string, language: string) =>
    (await admin.get(`/admin/roles/list?${query}`, { 'accept-language': language })).body.roles.data.map(
      ({ name }: { name: string }) => name,
    )
  expect(await names('search=responsable', 'fr')).toEqual(['Case Reviewer'])
  // Letters and files of colleagues may have the English name.
  expect(await names('search=reviewer', 'fr')).toEqual(['Case Reviewer'])
  expect(await names('search=reviewer', 'en')).toEqual(['Case Reviewer'])
  const french = ['Administrator', 'Transfer Approver', 'Auditor', 'School Officer', 'Transfer Officer']
  expect(await names('', 'fr')).toEqual([...french, 'Case Reviewer'])
  expect(await names('sort=-name', 'fr')).toEqual([...french, 'Case Reviewer'].reverse())
  expect((await names('', 'en')).slice(0, 3)).toEqual(['Administrator', 'Auditor', 'Case Reviewer'])
})

test('nobody gives a role the name that another role already has on French screens', async () => {
  const admin = await portal.signedInAs('Administrator')
  const taken = { name: ['There is a role of this name already.'] }
  expect((await admin.post('/admin/roles', { name: 'auditeur' })).body.errors).toEqual(taken)
  const { id } = (await admin.post('/admin/roles', { name: 'Role of the inspectors' })).body.role
  expect((await admin.put(`/admin/roles/${id}`, { name: 'Auditeur' })).body.errors).toEqual(taken)
  const auditors = `/admin/roles/${await auditorsOfThisTest()}`
  expect((await admin.put(auditors, { name: 'Auditeur' })).body.role.name).toBe('Auditeur')
  expect((await admin.post('/admin/roles', { name: 'Auditor' })).body.errors).toEqual(taken)
})

test('an administrator who saves a role with the name that she reads in French does not rename it', async () => {
  const admin = await portal.signedInAs('Administrator')
  const id = await auditorsOfThisTest()
  const french = { 'accept-language': 'fr' }
  const body = { name: 'Auditeur', requires_totp: true }
  const saved = await admin.put(`/admin/roles/${id}`, body, french)
  expect(saved.body.role).toMatchObject({ name: 'Auditor', requires_totp: true })
  const other = await admin.put(`/admin/roles/${id}`, { name: 'Contrôleur' }, french)
  expect(other.body.role.name).toBe('Contrôleur')
})

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

test('a person who may see roles gets a list with each permission once', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const list = (await auditor.get('/admin/permissions/list')).body.permissions
  expect(list.length).toBeGreaterThan(30)
  expect(list[0].name).toBe('users.view')
  expect((await auditor.get('/admin/roles/list?search=adminis')).body.roles.data).toMatchObject([
    { administrator: true, users: 0 },
  ])
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
