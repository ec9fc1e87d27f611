import { expect, test } from 'vitest'
import { expert } from '../cases/case-stage.ts'
import { startPortal, until } from '../portal.ts'
import { fileOf, imported, stopped, student as studentRow } from '../registers/registers.ts'
import { archive, unzipped } from './archives.ts'
import { erasureStage, girl, type Signed } from './erasure-stage.ts'

const portal = await startPortal()
const { later, number, student, studentOf } = await erasureStage(portal)
const { owner } = portal

test('an administrator exports everything about a girl from her page, with the case that is about her, and says why', async () => {
  const admin: Signed = await portal.signedInAs('Administrator')
  const page = await admin.get(`/admin/people/student/${student}`)
  expect(page.body.person).toMatchObject({ kind: 'student', name: girl, naming: [number] })
  expect(page.body.person.parts).toContainEqual({
    what: 'Lists and payments',
    stays: expect.arrayContaining([
      'amounts, fees, days, references and outcomes: accounting law, and the ledger verifies them',
    ]),
  })
  const french = await admin.get(`/admin/people/student/${student}`, { 'accept-language': 'fr' })
  expect(french.body.person.parts).toContainEqual({ what: 'Compte', stays: [] })
  const path = `/admin/people/student/${student}/export`
  expect(await admin.post(path, { cases: [] })).toMatchObject({
    status: 422,
    body: { errors: { reason: ['Fill in this field.'] } },
  })
  expect(await admin.post(path, { reason: 'She asked', cases: ['X-1'] })).toMatchObject({
    status: 422,
    body: { errors: { cases: ['The portal knows no case X-1.'] } },
  })
  await later(admin)
  expect(await admin.post(path, { reason: 'She asked' })).toMatchObject({ body: { reauthenticate: true } })
  await owner.query('update sessions set created_at = now()')
  const asked = await admin.post(path, { reason: 'She asked', cases: [number] })
  expect(asked).toMatchObject({
    status: 202,
    body: { file_name: expect.stringMatching(/^person-student-\d+-.*\.zip$/) },
  })
  const file = await until(async () => {
    const answer = await admin.get(`/storage/exports/${asked.body.file_name}`)
    return answer.status === 200 && answer
  })
  expect(file.headers['content-type']).toBe('application/zip')
  const files = await unzipped(portal, file.bytes)
  expect(Object.keys(files).sort()).toEqual([
    expect.stringMatching(/^documents\/\d+-letter\.pdf$/),
    'person.json',
    'person.xlsx',
  ])
  expect(JSON.parse(String(files['person.json']))).toMatchObject({
    users: [{ last_name: 'Traoré 1' }],
    students: [{ student_code: 'S-1' }],
    cases: [{ number }],
  })
  const { rows } = await owner.query(
    `select a.user_id, a.auditable_type, a.auditable_id, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'person exported'`,
  )
  expect(rows).toMatchObject([
    {
      user_id: admin.user.id,
      auditable_type: 'student',
      auditable_id: student,
      new_values: { reason: 'She asked', cases: [number], row_count: expect.any(Number) },
    },
  ])
  const { body: log } = await admin.get('/admin/users/audit/logs?event=person+exported')
  expect(log.logs.data[0].sentence.map(({ text }: { text: string }) => text).join('')).toContain(
    `exported all data of ${girl}`,
  )
})

test('an officer sees no data of one person, and whoever lost the right cannot fetch the archive any more', async () => {
  const officer = await portal.signedInAs('School Officer')
  expect((await officer.get(`/admin/people/student/${student}`)).status).toBe(403)
  expect((await officer.post(`/admin/people/student/${student}/export`, { reason: 'x' })).status).toBe(403)
  const person: Signed = await portal.signedIn('people.export')
  const asked = await person.post(`/admin/people/student/${student}/export`, { reason: 'She asked' })
  const address = `/storage/exports/${asked.body.file_name}`
  await until(async () => (await person.get(address)).status === 200)
  await owner.query('delete from user_roles where user_id = $1', [person.user.id])
  expect((await person.get(address)).status).toBe(403)
})

test('whoever exports a girl gets no case that they may not read, neither when they ask nor when they fetch it', async () => {
  const path = `/admin/people/student/${student}/export`
  const reason = 'She asked'
  const curious: Signed = await portal.signedIn('people.export')
  const refused = (known: string) => ({
    status: 422,
    body: { errors: { cases: [`The portal knows no case ${known}.`] } },
  })
  expect(await curious.post(path, { reason, cases: ['X-1'] })).toMatchObject(refused('X-1'))
  expect(await curious.post(path, { reason, cases: [number] })).toMatchObject(refused(number))
  expect((await curious.post(path, { reason })).status).toBe(202)

  // Its filer and its reviewer read a case without the permission.
  const { rows } = await owner.query('select user_id, assigned_id from cases where number = $1', [number])
  const setCase = (name: 'user_id' | 'assigned_id', id: number) =>
    owner.query(`update cases set ${name} = $1 where number = $2`, [id, number])
  for (const name of ['user_id', 'assigned_id'] as const) {
    await setCase(name, curious.user.id)
    const asked = await curious.post(path, { reason, cases: [number] })
    expect(asked.status).toBe(202)
    const address = `/storage/exports/${asked.body.file_name}`
    await until(async () => (await curious.get(address)).status === 200)
    await setCase(name, rows[0][name])
    expect(await curious.get(address)).toMatchObject({
      status: 403,
      body: { message: 'You no longer have the right to this file.' },
    })
  }

  const trusted: Signed = await portal.signedIn('people.export', 'cases.view')
  const asked = await trusted.post(path, { reason, cases: [number] })
  const address = `/storage/exports/${asked.body.file_name}`
  await until(async () => (await trusted.get(address)).status === 200)
  await owner.query(
    `delete from role_permissions rp using user_roles ur, permissions p
     where ur.user_id = $1 and rp.role_id = ur.role_id and p.id = rp.permission_id and p.name = 'cases.view'`,
    [trusted.user.id],
  )
  expect((await trusted.get(address)).status).toBe(403)
})

test('an administrator finds each kind of person by the number of the record, and nobody under another kind', async () => {
  const admin = await portal.signedInAs('Administrator')
  const { rows } = await owner.query('select id from referrals')
  expect((await admin.get(`/admin/people/expert/${rows[0].id}`)).body.person).toMatchObject({
    name: `${expert.first_name} ${expert.last_name}`,
  })
  expect((await admin.get(`/admin/people/user/${admin.user.id}`)).body.person.name).toMatch(/^Awa Diarra/)
  const { rows: users } = await owner.query('select user_id from students where id = $1', [student])
  for (const path of [
    `user/${users[0].user_id}`,
    'guardian/999',
    'teacher/999',
    'expert/999',
    `nobody/${student}`,
  ])
    expect([path, (await admin.get(`/admin/people/${path}`)).status]).toEqual([path, 404])
})

test('the archive of one girl has what was corrected in her row of a file, and nothing of the other rows', async () => {
  const admin = await portal.signedInAs('Administrator')
  const file = fileOf([71, 72].map((n) => studentRow(n, { class: '9Z' })))
  const review = await imported(admin, 'students', file, true)
  const [own, others] = ['N-2026-0071', 'N-2026-0072']
  const corrections = [own, others].flatMap((value, n) => [
    { row: n + 2, column: 'class', value: '7A' },
    { row: n + 2, column: 'admission_number', value },
  ])
  expect((await admin.post(`/imports/${review.id}/check`, { corrections })).status).toBe(200)
  await admin.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(admin, review.id)).toMatchObject({ state: 'imported', rows_new: 2 })
  const { text, json } = await archive(portal, admin, `student/${await studentOf('S-71')}`)
  expect(json.audits.filter(({ event }: { event: string }) => event === 'corrected')).toMatchObject([
    {
      old_values: { 'row 2': { class: '9Z', admission_number: null } },
      new_values: { 'row 2': { class: '7A', admission_number: own } },
    },
  ])
  expect(text).not.toContain(others)
})
