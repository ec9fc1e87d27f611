import { beforeAll, expect, test } from 'vitest'
import type { Client } from './client.ts'
import { startPortal, until } from './portal.ts'
import { addPlaces, addSchools, addStudents, fileOf, imported, student } from './registers.ts'

const portal = await startPortal()
const { owner } = portal
type Signed = Awaited<ReturnType<typeof portal.signedIn>>

beforeAll(async () => {
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 3)
})

async function exported(person: Client, path: string) {
  const asked = await person.post(path, {})
  expect(asked.status).toBe(202)
  const address = `/storage/exports/${asked.body.file_name}`
  await until(async () => (await person.get(address)).status === 200)
  return address
}
const take = (person: Signed, ...permissions: string[]) =>
  owner.query(
    `delete from role_permissions rp using user_roles ur, permissions p
     where ur.user_id = $1 and rp.role_id = ur.role_id and p.id = rp.permission_id and p.name = any($2)`,
    [person.user.id, permissions],
  )
const gone = 'You no longer have the right to this file.'
const french = 'Vous n’avez plus le droit d’obtenir ce fichier.'

test.each([
  ['the students', '/admin/schools/students/export', ['students.view', 'students.export']],
  ['the schools', '/admin/schools/export', ['schools.view', 'schools.export']],
  ['the audit log', '/admin/users/audit/logs/export', ['audit-logs.view']],
  ['the arrears', '/admin/transfers/arrears/export', ['transfers.view', 'payrolls.export']],
  ['the reconciliations', '/admin/transfers/reconciliations/export', ['transfers.view', 'payrolls.export']],
] as const)(
  'a person whose right to %s was taken away cannot fetch the file any more',
  async (_, path, rights) => {
    const person = await portal.signedIn(...rights)
    const address = await exported(person, path)
    await take(person, ...rights)
    expect(await person.get(address)).toMatchObject({ status: 403, body: { message: gone } })
    expect(await person.get(address, { 'accept-language': 'fr' })).toMatchObject({
      status: 403,
      body: { message: french },
    })
  },
)

test('a person who may no longer see maternal status cannot fetch the file that has it', async () => {
  const person = await portal.signedIn('students.view', 'students.export', 'students.sensitive')
  const address = await exported(person, '/admin/schools/students/export')
  await take(person, 'students.sensitive')
  expect((await person.get(address)).status).toBe(403)
  expect((await person.get(await exported(person, '/admin/schools/students/export'))).status).toBe(200)
})

test('an auditor who may no longer see students cannot fetch the log that names them', async () => {
  const person = await portal.signedIn('audit-logs.view', 'students.view')
  const address = await exported(person, '/admin/users/audit/logs/export')
  await take(person, 'students.view')
  expect((await person.get(address)).status).toBe(403)
})

test('an officer whose right to import was taken away gets neither the rejected rows nor the file', async () => {
  const person = await portal.signedIn('students.import', 'students.view', 'students.sensitive')
  const { id } = await imported(person, 'students', fileOf([student(60, { admin_code: 'NOWHERE' })]))
  expect((await person.get(`/imports/${id}/rejected.xlsx`)).status).toBe(200)
  expect((await person.get(`/imports/${id}/file`)).status).toBe(200)
  await take(person, 'students.sensitive')
  expect((await person.get(`/imports/${id}/file`)).status).toBe(403)
  await take(person, 'students.import')
  expect((await person.get(`/imports/${id}/rejected.xlsx`)).status).toBe(403)
  expect((await person.get(`/imports/${id}/file`)).status).toBe(403)
})
