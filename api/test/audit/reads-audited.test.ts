import type { AuditLog } from '@portal/contracts/audit'
import { beforeAll, expect, test } from 'vitest'
import { caseStage, pdf, file as upload } from '../cases/case-stage.ts'
import type { Client } from '../client.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools, addStudents, fileOf, imported, student } from '../registers/registers.ts'

const portal = await startPortal()
const { owner } = portal
type Signed = Awaited<ReturnType<typeof portal.signedIn>>
let girls: { id: number }[] = []
let parent = 0
let auditor: Signed

beforeAll(async () => {
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 3)
  girls = (await owner.query('select id from students order by id')).rows
  const made = await owner.query(
    `with u as (insert into users (first_name, last_name) values ('Fanta', 'Sissoko') returning id)
     insert into parents (user_id, parent_assigned_id) select id, 'P-1' from u returning id`,
  )
  parent = made.rows[0].id
  auditor = await portal.signedInAs('Auditor')
})

async function called(person: Signed, first: string, last: string) {
  await owner.query('update users set first_name = $1, last_name = $2 where id = $3', [
    first,
    last,
    person.user.id,
  ])
  return person
}
const entries = async (person: Signed, event: string, locale = 'en') => {
  const path = `/admin/users/audit/logs?user_id=${person.user.id}&event=${event}`
  return (await auditor.get(path, { 'accept-language': locale })).body.logs.data as AuditLog[]
}
const sentences = async (person: Signed, event: string, locale?: string) =>
  (await entries(person, event, locale)).map(({ sentence }) => sentence.map(({ text }) => text).join(''))
/** The number of all entries; signing in and making people add none of these events. */
const written = async () =>
  (
    await owner.query(
      "select count(*) as n from audits where event in ('opened', 'searched', 'exported', 'downloaded', 'refused')",
    )
  ).rows[0].n as number
async function exported(person: Client, path: string, body: object = {}) {
  const asked = await person.post(path, body)
  expect(asked.status).toBe(202)
  const address = `/storage/exports/${asked.body.file_name}`
  await until(async () => (await person.get(address)).status === 200)
  return address
}

test('an auditor reads who looked at a girl to put her on hold, and who searched girls on hold by name', async () => {
  const officer = await portal.signedIn('holds.manage', 'transfers.view')
  expect((await officer.get(`/admin/transfers/payees/${girls[0]?.id}`)).status).toBe(200)
  expect(await entries(officer, 'opened')).toMatchObject([
    { auditable_type: 'student', auditable_id: girls[0]?.id },
  ])
  await officer.get('/admin/transfers/payee-holds')
  expect(await entries(officer, 'searched')).toEqual([])
  expect((await officer.get('/admin/transfers/payee-holds?search=Traor%C3%A9')).status).toBe(200)
  expect(await entries(officer, 'searched')).toMatchObject([
    { auditable_type: 'student', new_values: { found: 0, first_found: [] } },
  ])
})

test('an auditor reads who exported the students: how many rows, which columns and with which filters', async () => {
  const officer = await called(
    await portal.signedIn('students.view', 'students.export', 'students.sensitive'),
    'Awa',
    'Koné',
  )
  await exported(officer, '/admin/schools/students/export', { search: 'Traoré 2' })
  const [entry] = await entries(officer, 'exported')
  expect(entry).toMatchObject({ auditable_type: 'student', ip_address: '127.0.0.1' })
  expect(entry?.new_values).toMatchObject({ search: true, sensitive: true, row_count: 1 })
  expect(JSON.stringify(entry)).not.toContain('Traoré 2')
  expect(entry?.new_values?.columns).toContainEqual({ en: 'Maternal status', fr: 'Statut maternel' })
  expect(await sentences(officer, 'exported')).toEqual([
    expect.stringMatching(
      /^Awa Koné exported the students \(rows: 1\) — search: yes; columns: Student code, .*; sensitive columns: yes$/,
    ),
  ])
  expect(await sentences(officer, 'exported', 'fr')).toEqual([
    expect.stringMatching(
      /^Awa Koné a exporté les élèves \(lignes : 1\) — recherche : oui ; colonnes : Code de l’élève, .* ; colonnes sensibles : oui$/,
    ),
  ])
})

test('an auditor reads who exported the schools', async () => {
  const officer = await called(await portal.signedIn('schools.view', 'schools.export'), 'Awa', 'Ba')
  await exported(officer, '/admin/schools/export')
  expect((await sentences(officer, 'exported'))[0]).toMatch(
    /^Awa Ba exported the schools \(rows: 3\) — columns: /,
  )
})

test('an auditor reads who opened a girl, her guardian or a case, once an hour however often they look', async () => {
  const reader = await called(
    await portal.signedIn('students.view', 'parents.view', 'cases.view'),
    'Oumou',
    'Diallo',
  )
  const filed = await (await caseStage(portal)).fileCase()
  for (let times = 0; times < 3; times++) {
    expect((await reader.get(`/admin/schools/students/${girls[0]?.id}`)).status).toBe(200)
    expect((await reader.get(`/admin/schools/parents/${parent}`)).status).toBe(200)
    expect((await reader.get(`/admin/cases/${filed.id}/details`)).status).toBe(200)
  }
  expect(await sentences(reader, 'opened')).toEqual([
    'Oumou Diallo opened the case Payment not received',
    'Oumou Diallo opened Fanta Sissoko’s page',
    'Oumou Diallo opened Aïssata Traoré 1’s page',
  ])
  expect((await sentences(reader, 'opened', 'fr'))[2]).toBe(
    'Oumou Diallo a ouvert la fiche d’Aïssata Traoré 1',
  )
  await owner.query("update recent_reads set read_at = now() - interval '61 minutes'")
  await reader.get(`/admin/schools/students/${girls[0]?.id}`)
  expect(await sentences(reader, 'opened')).toHaveLength(4)
  const before = await written()
  expect((await reader.get('/admin/schools/students/999999')).status).toBe(404)
  expect(await written()).toBe(before)
})

test('an auditor reads who searched for a girl and whom they found, but not what they typed', async () => {
  const reader = await called(await portal.signedIn('students.view', 'teachers.view'), 'Kadia', 'Touré')
  const before = await written()
  for (const query of ['', '?page=2', '?sort=-created_at', '?search=%20'])
    expect((await reader.get(`/admin/schools/students/list${query}`)).status).toBe(200)
  expect(await written()).toBe(before)
  const found = await reader.get('/admin/schools/students/list?search=traore%203')
  expect(found.body.students.total).toBe(1)
  await reader.get('/admin/schools/students/list?search=traore%203')
  expect(await sentences(reader, 'searched')).toEqual([
    'Kadia Touré searched the students — found: 1; first found: Aïssata Traoré 3',
  ])
  expect(await sentences(reader, 'searched', 'fr')).toEqual([
    'Kadia Touré a fait une recherche parmi les élèves — nombre trouvé : 1 ; premiers trouvés : Aïssata Traoré 3',
  ])
  expect(JSON.stringify(await entries(reader, 'searched'))).not.toMatch(/traore 3/)
  await reader.get('/admin/schools/teachers/list?search=nobody')
  expect((await sentences(reader, 'searched'))[0]).toBe('Kadia Touré searched the teachers — found: 0')
})

test('an auditor reads who searched the people of one school, as in the lists of all schools', async () => {
  const reader = await called(
    await portal.signedIn('schools.view', 'students.view', 'teachers.view'),
    'Ramata',
    'Sidibé',
  )
  const school = (await owner.query("select id from schools where admin_code = 'KIT-1'")).rows[0].id
  const path = `/admin/schools/${school}/users`
  await reader.get(`${path}?type=student`)
  expect(await sentences(reader, 'searched')).toEqual([])
  expect((await reader.get(`${path}?type=student&search=traore%202`)).body.student.total).toBe(1)
  await reader.get(`${path}?type=teacher&search=nobody`)
  expect(await sentences(reader, 'searched')).toEqual([
    'Ramata Sidibé searched the teachers — found: 0',
    'Ramata Sidibé searched the students — found: 1; first found: Aïssata Traoré 2',
  ])
})

test('an auditor reads who downloaded a document of a case, an uploaded file and its rejected rows', async () => {
  const { fileCase, reviewer } = await caseStage(portal)
  await called(reviewer, 'Mariam', 'Sow')
  const { id } = await fileCase()
  const file = upload('receipt.pdf', pdf)
  await reviewer.upload('/admin/cases/file', { complain_id: id, description: 'Receipt', file })
  const [document] = (await reviewer.get(`/admin/cases/${id}/details`)).body.complain.documents
  expect((await reviewer.get(document.download_url)).status).toBe(200)
  expect(await sentences(reviewer, 'downloaded', 'fr')).toEqual([
    'Mariam Sow a téléchargé une pièce du dossier Payment not received',
  ])
  const importer = await called(await portal.signedIn('students.import', 'students.view'), 'Rokia', 'Cissé')
  const ended = await imported(importer, 'students', fileOf([student(50, { admin_code: 'NOWHERE' })]))
  await importer.get(`/imports/${ended.id}/file`)
  await importer.get(`/imports/${ended.id}/rejected.xlsx`)
  expect(await sentences(importer, 'downloaded')).toEqual([
    'Rokia Cissé downloaded the file list.xlsx — rejected rows: yes',
    'Rokia Cissé downloaded the file list.xlsx',
  ])
})

test('an auditor reads who was refused, which call it was and why', async () => {
  const person = await called(await portal.signedIn('schools.view'), 'Sira', 'Fall')
  for (let times = 0; times < 2; times++)
    expect((await person.post('/admin/schools/students/export', {})).status).toBe(403)
  expect(await sentences(person, 'refused')).toEqual([
    'Sira Fall was refused a call — call: POST /api/admin/schools/students/export; permission: Students: export',
  ])
  expect((await sentences(person, 'refused', 'fr'))[0]).toMatch(
    /^Sira Fall s’est vu refuser un appel — appel : POST .* ; nom de la permission : Élèves : exporter$/,
  )
  expect((await person.get('/storage/samples/students.xlsx')).status).toBe(403)
  expect((await sentences(person, 'refused'))[0]).toMatch(/; reason: You /)
  expect((await sentences(person, 'refused', 'fr'))[0]).toMatch(/ ; motif : Vous /)
})
