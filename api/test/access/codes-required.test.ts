import { approvesMoney, type Permission } from '@portal/contracts/permissions'
import { expect, test } from 'vitest'
import { codeAt } from '../../src/access/totp.ts'
import { caseStage, file, pdf } from '../cases/case-stage.ts'
import type { Client } from '../client.ts'
import { password, startPortal } from '../portal.ts'

const portal = await startPortal({ requireCodes: true })
const { owner } = portal

const codesNeeded = { status: 403, body: { code: 'codes_needed' } }

async function turnOn(person: Client) {
  const { secret } = (await person.post('/totp')).body
  const on = await person.post('/totp/confirm', { code: codeAt(secret, Date.now()) })
  expect(on.status).toBe(200)
  return on.body.recovery_codes as string[]
}

test('an administrator without one-time codes reaches nothing but her own profile, sessions and codes', async () => {
  const admin = await portal.signedInAs('Administrator')
  const guarded = portal.endpoints.filter(
    ({ access }) => !['public', 'invite', 'machine', 'signed'].includes(String(access)),
  )
  const reached: string[] = []
  for (const { method, path } of guarded) {
    const address = path.replace(/:\w+/g, '999999999')
    const { status, body } = await admin.send(method, address, method === 'GET' ? undefined : {})
    if (body?.code === 'codes_needed') expect.soft([path, status]).toEqual([path, 403])
    else reached.push(`${method} ${path}`)
  }
  expect(reached.sort()).toEqual([
    'DELETE /sessions/:id',
    'DELETE /totp',
    'GET /sessions',
    'GET /users/profile/details',
    'POST /totp',
    'POST /totp/confirm',
    'POST /totp/recovery-codes',
    'PUT /password',
    'PUT /users/profile/update/:id',
  ])
  const { user, permissions } = (await admin.get('/session')).body
  expect({ permissions, needed: user.totp_needed }).toEqual({ permissions: [], needed: true })
})

test('a person who has not set up her codes yet gets no document of a case that she filed', async () => {
  const { filer, fileCase } = await caseStage(portal)
  const { id } = await fileCase(filer, { file: file('proof.pdf', pdf) })
  const { rows } = await owner.query('select id from case_documents where case_id = $1', [id])
  const path = `/storage/documents/${rows[0].id}`
  expect((await filer.get(path)).status).toBe(200)
  await owner.query(
    'update roles set requires_totp = true where id in (select role_id from user_roles where user_id = $1)',
    [filer.user.id],
  )
  expect((await filer.get(path)).status).toBe(404)
})

test('she reads why, turns codes on, and goes on in the same session with everything she may', async () => {
  const admin = await portal.signedInAs('Administrator')
  const refused = await admin.get('/admin/users/list')
  expect(refused).toMatchObject(codesNeeded)
  expect(refused.body.message).toBe(
    'Your roles ask for one-time codes. Set them up on your profile page; everything else is open to you after that.',
  )
  const french = await admin.get('/admin/users/list', { 'accept-language': 'fr' })
  expect(french.body.message).toContain('codes à usage unique')
  await turnOn(admin)
  const { user, permissions } = (await admin.get('/session')).body
  expect(user.totp_needed).toBeUndefined()
  expect(permissions).toContain('cohorts.approve')
  expect((await admin.get('/admin/users/list')).status).toBe(200)
})

test('codes are asked of whoever holds a permission with which money may be approved, and of nobody else', async () => {
  for (const [name, approves] of Object.entries(approvesMoney)) {
    const person = await portal.signedIn(name as Permission)
    const { user } = (await person.get('/session')).body
    expect.soft([name, user.totp_needed ?? false]).toEqual([name, approves])
  }
  const officer = await portal.signedInAs('School Officer')
  expect((await officer.get('/admin/schools/list')).status).toBe(200)
})

test('a person who is given a role that approves money is stopped at her next call, until she has codes', async () => {
  const person = await portal.signedInAs('School Officer')
  expect((await person.get('/admin/schools/list')).status).toBe(200)
  await owner.query(
    "insert into user_roles (user_id, role_id) select $1, id from roles where name = 'Transfer Approver'",
    [person.user.id],
  )
  expect(await person.get('/admin/schools/list')).toMatchObject(codesNeeded)
  await turnOn(person)
  expect((await person.get('/admin/schools/list')).status).toBe(200)
  const off = await person.send('DELETE', '/totp', { current_password: password })
  expect(off).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^A role of yours asks for one-time codes, so they stay on\./) },
  })
})

test('an approver whose codes an administrator turned off for a lost phone sets them up anew before she approves', async () => {
  const admin = await portal.signedInAs('Administrator')
  await turnOn(admin)
  const approver = await portal.signedInAs('Transfer Approver')
  await turnOn(approver)
  expect((await approver.get('/admin/transfers/cohorts')).status).toBe(200)
  expect((await admin.delete(`/admin/users/${approver.user.id}/totp`)).status).toBe(200)
  expect(await approver.get('/admin/transfers/cohorts')).toMatchObject(codesNeeded)
  await turnOn(approver)
  expect((await approver.get('/admin/transfers/cohorts')).status).toBe(200)
})
