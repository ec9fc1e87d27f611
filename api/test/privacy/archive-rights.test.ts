import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, expect, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { asConsultant, caseStage, expert, file, inviteOf, jpeg } from '../cases/case-stage.ts'
import { release } from '../modules/modules.ts'
import { startPortal } from '../portal.ts'
import {
  addPlaces,
  addSchools,
  addStudents,
  fileOf,
  imported,
  sheetFile,
  stopped,
  student,
} from '../registers/registers.ts'
import { archive } from './archives.ts'

const portal = await startPortal()
const { owner } = portal
type Signed = Awaited<ReturnType<typeof portal.signedIn>>
let girl = ''
const record = 'health.record' as Permission
const view = 'health.view' as Permission
const label = (text: string) => ({ en: text, fr: text })
const fields = [
  { name: 'girl', label: label('Girl'), type: 'reference', to: 'student' },
  { name: 'note', label: label('Note'), type: 'text', max: 200, sort: true },
  { name: 'weight', label: label('Weight'), type: 'whole', min: 0, max: 9_999_999 },
  { name: 'photo', label: label('Photograph'), type: 'picture' },
]

beforeAll(async () => {
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 2)
  const { rows } = await owner.query("select id from students where student_code = 'S-1'")
  girl = `student/${rows[0].id}`
  await release(portal.context.registry, {
    ...{ name: 'mfe-health', version: '1.0.0' },
    permissions: [record, view].map((name) => ({ name, label: label(name) })),
    collections: [
      {
        ...{ name: 'visits', label: label('Visit'), read: [view, record], write: record },
        fields,
        import: '/x',
      },
    ],
  })
  await followModules(portal.context)()
})

const take = (person: Signed, permission: string) =>
  owner.query(
    `delete from role_permissions rp using user_roles ur, permissions p
     where ur.user_id = $1 and rp.role_id = ur.role_id and p.id = rp.permission_id and p.name = $2`,
    [person.user.id, permission],
  )
type Entry = { auditable_type: string; event: string; new_values: Record<string, unknown> | null }
const ofCases = ({ audits }: { audits: Entry[] }) =>
  audits.filter(({ auditable_type }) => ['case', 'referral'].includes(auditable_type))
const hidden = { en: '(confidential)', fr: '(confidentiel)' }

test('a person who may not read cases exports a girl without their texts, and with those of a case of her own that she names', async () => {
  const { filer, form, fileCase } = await caseStage(portal)
  await fileCase(filer, { title: 'Titleword', description: 'The code S-1 is of Descriptionword.' })
  const curious = await portal.signedIn('people.export', 'cases.create')
  const own = await fileCase(curious, { ...form, title: 'Owntitle', description: 'Of S-1 is Ownword.' })

  const { text, json } = await archive(portal, curious, girl)
  expect(text).not.toMatch(/Titleword|Descriptionword|Owntitle|Ownword/)
  expect(ofCases(json)).toMatchObject([
    { event: 'created', new_values: { title: hidden, description: hidden, priority: 'high_1_day' } },
    { event: 'created', new_values: { title: hidden, number: own.number } },
  ])
  const named = await archive(portal, curious, girl, [own.number])
  expect(named.text).not.toMatch(/Titleword|Descriptionword/)
  expect(ofCases(named.json)).toMatchObject([
    { new_values: { title: hidden } },
    { new_values: { title: 'Owntitle', description: 'Of S-1 is Ownword.' } },
  ])

  const trusted = await portal.signedIn('people.export', 'cases.view')
  const whole = await archive(portal, trusted, girl)
  expect(whole.text).toContain('Descriptionword')
  await take(trusted, 'cases.view')
  expect((await trusted.get(whole.address)).status).toBe(403)
  expect((await trusted.get((await archive(portal, trusted, girl)).address)).status).toBe(200)
})

test('a person who may not read cases exports their reviewer without the titles in her notices', async () => {
  const { filer, reviewer, form, fileCase } = await caseStage(portal)
  const { id, number } = await fileCase(filer, { title: 'Noticeword' })
  const both = await portal.signedIn('cases.create')
  const filed = await fileCase(both, { ...form, title: 'Filedword' })
  await reviewer.post('/admin/cases/resolve', { complain_id: filed.id, action: 'resolve', verdict: 'Paid' })
  const curious = await portal.signedIn('people.export')
  const told = await archive(portal, curious, `user/${reviewer.user.id}`)
  expect(told.text).not.toContain('Noticeword')
  expect(told.json.notifications).toContainEqual(
    expect.objectContaining({
      link: `/admin/cases/${id}/details`,
      text: expect.objectContaining({ en: `Case ${number} is assigned to you.` }),
    }),
  )
  expect((await archive(portal, curious, `user/${both.user.id}`)).text).not.toContain('Filedword')
  const trusted = await portal.signedIn('people.export', 'cases.view')
  expect((await archive(portal, trusted, `user/${reviewer.user.id}`)).text).toContain('Noticeword')
})

test('a person who may not read cases exports an expert without what was asked and answered', async () => {
  const { reviewer, fileCase } = await caseStage(portal)
  const { id, number } = await fileCase()
  await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id, comment: 'Askedword' })
  const consultant = asConsultant(await portal.visitor(), await inviteOf(portal, number))
  expect((await consultant.answer({ comment: 'Answerword', reject: 'false' })).status).toBe(200)
  const { rows } = await owner.query('select id from referrals where case_id = $1', [id])
  const person = `expert/${rows[0].id}`
  const { text, json } = await archive(portal, await portal.signedIn('people.export'), person)
  expect(text).not.toMatch(/Askedword|Answerword/)
  expect(json.referrals).toMatchObject([{ number: `${number}-1`, comment: hidden, email: expert.email }])
  expect(json.referral_notes).toMatchObject([{ note: hidden }])
  expect(ofCases(json)).toContainEqual(
    expect.objectContaining({ event: 'answered', new_values: expect.objectContaining({ comment: hidden }) }),
  )
  const trusted = await portal.signedIn('people.export', 'cases.view')
  expect((await archive(portal, trusted, person)).text).toMatch(/Answerword/)
})

test('a person exports a girl without maternal status and disability, unless she may see them', async () => {
  const admin = await portal.signedInAs('Administrator')
  const cells = { maternal_status: 'mother', disability_vision: 'no_difficulty' }
  const review = await imported(admin, 'students', fileOf([student(1, cells)]), true)
  const corrections = [
    { row: 2, column: 'maternal_status', value: 'pregnant' },
    { row: 2, column: 'disability_vision', value: 'lot_of_difficulty' },
  ]
  expect((await admin.post(`/imports/${review.id}/check`, { corrections })).status).toBe(200)
  await admin.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(admin, review.id)).toMatchObject({ state: 'imported', rows_changed: 1 })
  // A cell that nobody can read is rejected with what it says.
  await imported(admin, 'students', fileOf([student(1, { maternal_status: 'perhaps pregnant' })]))
  const path = `/admin/schools/students/${girl.split('/')[1]}`
  const { student: stored } = (await admin.get(path)).body
  const saved = await admin.put(path, { ...stored, maternal_status: 'pregnant_mother' })
  expect([saved.status, saved.body.errors]).toEqual([200, undefined])

  const curious = await portal.signedIn('people.export')
  const { text, json } = await archive(portal, curious, girl)
  expect(text).not.toMatch(/maternal|disability|pregnant|difficulty/)
  expect(json).toMatchObject({ students: [{ student_code: 'S-1' }], import_rows: expect.any(Array) })

  const trusted = await portal.signedIn('people.export', 'students.sensitive')
  const whole = await archive(portal, trusted, girl)
  expect(whole.json.students).toMatchObject([{ maternal_status: 'pregnant_mother' }])
  expect(whole.text).toMatch(/perhaps pregnant/)
  expect(whole.json.import_changes).toContainEqual(expect.objectContaining({ column: 'maternal_status' }))
  await take(trusted, 'students.sensitive')
  expect((await trusted.get(whole.address)).status).toBe(403)
})

test('a person exports a girl without what records of modules say that she may not read, and without their pictures', async () => {
  const nurse = await portal.signedIn(record, 'students.view')
  const visits = '/modules/mfe-health/records/visits'
  const { picture } = (await nurse.upload(`${visits}/pictures`, { file: file('photo.jpg', jpeg) })).body
  const data = {
    girl: Number(girl.split('/')[1]),
    note: 'Recordword S-1',
    weight: 4711471,
    photo: { id: picture.id, alt: 'Altword' },
  }
  const made = await nurse.post(visits, { data })
  expect(made.status).toBe(200)
  const gone = await nurse.post(visits, { data: { note: 'Deletedword of S-1' } })
  await nurse.delete(`${visits}/${gone.body.record.id}`)
  const sheet = sheetFile([
    ['Girl', 'Note', 'Weight'],
    ['S-1', 'Cellword', '4712472x'],
  ])
  const { id } = (await nurse.upload(`${visits}/import?review=1`, { records_file: sheet })).body.import
  await stopped(nurse, id)
  const corrections = [{ row: 2, column: 'note', value: 'Correctword of S-1' }]
  expect((await nurse.post(`/imports/${id}/check`, { corrections })).status).toBe(200)

  const words = /\w+word|\b4711471\b|4712472x/
  const curious = await portal.signedIn('people.export', 'audit-logs.view')
  const { text, json, documents } = await archive(portal, curious, girl)
  expect(text).not.toMatch(words)
  expect(documents).toEqual([])
  expect(json).toMatchObject({
    module_records: [{ module: 'mfe-health', collection: 'visits', data: hidden, words: hidden }],
    record_pictures: [{ module: 'mfe-health' }],
    import_rows: expect.arrayContaining([expect.objectContaining({ import_id: id, cells: hidden })]),
    import_corrections: expect.arrayContaining([
      expect.objectContaining({ import_id: id, new_value: hidden }),
    ]),
  })
  expect(json.audits).toContainEqual(
    expect.objectContaining({
      auditable_type: 'module record',
      event: 'deleted',
      old_values: expect.objectContaining({ note: hidden }),
    }),
  )
  const log = await curious.get('/admin/users/audit/logs?auditable_type=import&event=corrected')
  expect(log.body.logs.data).toContainEqual(expect.objectContaining({ auditable_id: id }))
  expect(
    JSON.stringify(log.body.logs.data.filter((entry: { auditable_id: number }) => entry.auditable_id === id)),
  ).not.toMatch(words)

  const trusted = await portal.signedIn('people.export', view, 'audit-logs.view')
  const whole = await archive(portal, trusted, girl)
  for (const word of [
    'Recordword',
    'Altword',
    'Deletedword',
    'Cellword',
    'Correctword',
    '4711471',
    '4712472x',
  ])
    expect(whole.text).toContain(word)
  expect(whole.documents).toHaveLength(1)
  const seen = await trusted.get('/admin/users/audit/logs?auditable_type=import&event=corrected')
  expect(JSON.stringify(seen.body)).toContain('Correctword')
  await take(trusted, view)
  expect((await trusted.get(whole.address)).status).toBe(403)
})
