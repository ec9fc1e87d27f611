import { expect, onTestFinished, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { roleStage } from './role-stage.ts'

const portal = await startPortal()
const { assign, heldBy, idsOf, roleId } = roleStage(portal)
const { owner } = portal

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

test('a person who may see roles gets a list with each permission once', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const list = (await auditor.get('/admin/permissions/list')).body.permissions
  expect(list.length).toBeGreaterThan(30)
  expect(list[0].name).toBe('users.view')
  expect((await auditor.get('/admin/roles/list?search=adminis')).body.roles.data).toMatchObject([
    { administrator: true, users: 0 },
  ])
})
