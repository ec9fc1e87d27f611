import type { AuditLog } from '@portal/contracts/audit'
import ExcelJS from 'exceljs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit, eraseAuditsOf } from '../../src/kit/audit/audit.ts'
import { linkAudits, verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { openDb } from '../../src/kit/database/db.ts'
import { portal as system } from '../../src/kit/http/session.ts'
import type { Client } from '../client.ts'
import { release } from '../modules/modules.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'

const portal = await startPortal()
const { db, owner } = portal
/** Only the owner of the database may empty values of the log. */
const asOwner = openDb(portal.settings.databaseOwnerUrl ?? '', 1)
afterAll(() => asOwner.pool.end())
type Girl = { id: number; student_code: string }
let girls: Girl[] = []
let officer: Awaited<ReturnType<typeof portal.signedInAs>>

beforeAll(async () => {
  await portal.worker()
  const links = [
    { kind: 'record.student', link: '/admin/pupils?search={code}' },
    { kind: 'record.school', link: '/admin/places?search={code}' },
  ]
  const label = { en: 'Pupils', fr: 'Élèves' }
  const nav = [{ path: '/admin/pupils', label, icon: 'schools' as const, order: 1, children: [] }]
  await release(portal.context.registry, { name: 'mfe-pupils', version: '1.0.0', links, nav })
  await addPlaces(portal)
  await addSchools(portal, 2)
  await addStudents(portal, 3)
  girls = (await owner.query<Girl>('select id, student_code from students order by id')).rows
  officer = await portal.signedInAs('School Officer')
  await owner.query("update users set first_name = 'Modibo', last_name = 'Keita' where id = $1", [
    officer.user.id,
  ])
})

const list = async (client: Client, query: string, locale = 'en') => {
  const answer = await client.get(`/admin/users/audit/logs?${query}`, { 'accept-language': locale })
  expect(answer.status).toBe(200)
  return answer.body as { logs: { data: AuditLog[]; total: number }; too_many: boolean }
}
const textOf = ({ sentence }: AuditLog) => sentence.map(({ text }) => text).join('')
const sentences = async (client: Client, query: string, locale?: string) =>
  (await list(client, query, locale)).logs.data.map(textOf)
const logged = (event: string, type: string, id: number | null, changes: Parameters<typeof audit>[5] = {}) =>
  db.transaction().execute((tx) => audit(tx, system, event, type, id, changes))

async function changeBirthday(girl: Girl, date_of_birth: string) {
  const { student } = (await officer.get(`/admin/schools/students/${girl.id}`)).body
  const answer = await officer.put(`/admin/schools/students/${girl.id}`, { ...student, date_of_birth })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

test('an auditor finds by a girl’s code who changed her, reads it as a sentence and can open her', async () => {
  const [girl] = girls
  await changeBirthday(girl as Girl, '2012-02-04')
  const auditor = await portal.signedInAs('Auditor')
  for (const search of [girl?.student_code, 'Traoré 1', 'traore 1', 'modibo']) {
    const { data } = (
      await list(auditor, `event=updated&auditable_type=student&search=${encodeURIComponent(search ?? '')}`)
    ).logs
    expect(data.map(textOf), search).toEqual([
      'Modibo Keita changed Aïssata Traoré 1’s date of birth: 03/02/2012 → 04/02/2012',
    ])
    expect(data[0]).toMatchObject({ auditable_name: 'Aïssata Traoré 1', auditable_code: girl?.student_code })
    expect(data[0]?.sentence.find(({ link }) => link)).toEqual({
      text: 'Aïssata Traoré 1',
      link: `/admin/pupils?search=${girl?.student_code}`,
    })
  }
  expect(await sentences(auditor, `event=updated&search=${girl?.student_code}`, 'fr')).toEqual([
    'Modibo Keita a modifié « Date de naissance » d’Aïssata Traoré 1 : 03/02/2012 → 04/02/2012',
  ])
  expect(await sentences(auditor, `search=${girls[1]?.student_code}`)).toEqual([])
})

test('an auditor who may not see students reads no name of a girl, and finds none by it', async () => {
  const [girl] = girls
  const blind = await portal.signedIn('audit-logs.view')
  const { data } = (await list(blind, 'auditable_type=student&event=updated')).logs
  expect(data.map(textOf)).toEqual([
    `Modibo Keita changed the date of birth of the student #${girl?.id}: 03/02/2012 → 04/02/2012`,
  ])
  expect(data[0]).toMatchObject({ auditable_name: null, auditable_code: null })
  expect(data[0]?.sentence.some(({ link }) => link)).toBe(false)
  expect(await sentences(blind, `search=${girl?.student_code}`)).toEqual([])
})

test('an auditor reads states, roles and reviewers in her language', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const target = await portal.account()
  await owner.query("update users set first_name = 'Oumou', last_name = 'Ba' where id = $1", [target.id])
  await logged('role assigned', 'user', target.id, { new: { role: 'Auditor' } })
  await logged('updated', 'agency', 4_000, {
    old: { status: 'active' },
    new: { status: 'inactive', name: 'Moov' },
  })
  await logged('approved', 'cohort', 4_001, {
    old: { status: 'pending' },
    new: { status: 'approved', comment: 'Vu' },
  })
  await logged('updated', 'school', 4_002, {
    old: { type_of_school: 'public' },
    new: { type_of_school: 'community' },
  })
  await logged('assigned', 'case', 4_003, { old: { assigned_id: 1 }, new: { assigned_id: target.id } })
  await logged('permissions assigned', 'role', 4_004, {
    old: { permissions: ['students.view'] },
    new: { permissions: ['schools.view'] },
  })
  const french = await sentences(auditor, 'per_page=6&sort=-created_at', 'fr')
  expect(french).toEqual([
    'Le portail a modifié les permissions du rôle n° 4004 — permissions : + Établissements : consulter, − Élèves : consulter',
    'Le portail a confié le dossier n° 4003 à Oumou Ba',
    'Le portail a modifié « Type d’établissement » de l’établissement n° 4002 : École publique → École communautaire',
    'Le portail a approuvé la cohorte n° 4001 — commentaire : Vu',
    'Le portail a modifié l’agence Moov — nom : Moov ; statut : activée → désactivée',
    'Le portail a attribué à Oumou Ba le rôle Auditeur',
  ])
  const english = await sentences(auditor, 'per_page=6&sort=-created_at')
  expect(english.slice(1)).toEqual([
    'The portal gave the case #4003 to Oumou Ba',
    'The portal changed the type of school of the school #4002: Public school → Community school',
    'The portal approved the cohort #4001 — comment: Vu',
    'The portal changed the agency Moov — name: Moov; status: active → inactive',
    'The portal gave Oumou Ba the role Auditor',
  ])
  const { data } = (await list(auditor, 'event=assigned')).logs
  expect(data[0]?.new_values).toEqual({ assigned_id: { id: target.id, name: 'Oumou Ba' } })
})

test('an auditor finds by a girl’s code the import that changed her', async () => {
  const [, girl] = girls
  const { rows } = await owner.query<{ id: number }>(
    `with f as (insert into files (key, name, type, size, sha256)
       values ('k', 'eleves.xlsx', 'application/x', 1, decode('00', 'hex')) returning id)
     insert into imports (kind, state, file_id, file_name, file_hash, user_id)
     select 'students', 'imported', id, 'eleves.xlsx', 'h', $1 from f returning id`,
    [officer.user.id],
  )
  await owner.query(
    `insert into import_changes (import_id, "row", subject_id, "column", old_value, new_value)
     values ($1, 2, $2, 'date_of_birth', '2012-02-03', '2012-02-05')`,
    [rows[0]?.id, girl?.id],
  )
  await logged('imported', 'import', rows[0]?.id ?? 0, { new: { kind: 'students', rows: 3, changed: 1 } })
  const auditor = await portal.signedInAs('Auditor')
  expect(await sentences(auditor, `search=${girl?.student_code}`, 'fr')).toEqual([
    'Le portail a importé le fichier eleves.xlsx — sorte : élèves ; lignes lues : 3 ; lignes modifiées : 1',
  ])
})

test('an auditor’s log costs the same number of queries whatever stands on the page', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const asked: string[] = []
  const { pool } = portal.callsDb
  const original = pool.query
  const counted = async (query: string) => {
    asked.length = 0
    await list(auditor, query)
    return asked.length
  }
  pool.query = ((...given: unknown[]) => {
    const text = JSON.stringify(given[0])
    // Sessions and jobs ask on their own time.
    if (/as noun|audits|reference_values/.test(text)) asked.push(text)
    return Reflect.apply(original, pool, given)
  }) as typeof original
  try {
    expect(await counted('per_page=1')).toBeGreaterThan(2)
    expect(await counted('per_page=1')).toBe(await counted('per_page=100'))
    expect(await counted('per_page=1&search=modibo')).toBe(await counted('per_page=100&search=modibo'))
  } finally {
    pool.query = original
  }
})

test('an auditor reads by which places an export was narrowed, and what a saved view shows, in words', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const school =
    await owner.query(`select s.id, s.name, s.admin_code, s.cap_id, c.name as cap, r.id as region_id, r.name as region
    from schools s join caps c on c.id = s.cap_id join academies a on a.id = c.academy_id join regions r on r.id = a.region_id
    order by s.id limit 1`)
  const { id, name, admin_code, cap_id, cap, region_id, region } = school.rows[0]
  await logged('exported', 'student', null, {
    new: { row_count: 3, region: region_id, cap: cap_id, school: id, transfer_agency_id: 4_000 },
  })
  const [exported] = (await list(auditor, 'event=exported&auditable_type=student')).logs.data
  expect(exported?.new_values).toEqual({
    row_count: 3,
    region: { id: region_id, name: region },
    cap: { id: cap_id, name: cap },
    school: { id, name, link: `/admin/places?search=${admin_code}` },
    // It is gone, or never was.
    transfer_agency_id: 4_000,
  })
  const query = `region=${region_id}&gender=female&handicap=true&sort=-last_name`
  await officer.post('/views', { list: '/admin/pupils', name: 'Late', query })
  const [view] = (await list(auditor, 'auditable_type=saved view')).logs.data
  expect(view?.new_values).toEqual({
    list: { en: 'Pupils', fr: 'Élèves' },
    name: 'Late',
    query: [
      { en: `region: ${region}`, fr: `région : ${region}` },
      { en: 'Gender: Female', fr: 'Sexe : Féminin' },
      { en: 'handicap: yes', fr: 'handicap : oui' },
      { en: 'sorted by: Last name (descending)', fr: 'trié par : Nom (décroissant)' },
    ],
  })
})

test('an auditor reads to which CAP a school was moved', async () => {
  const { rows } = await owner.query("select id from schools where admin_code = 'KIT-2'")
  const { school } = (await officer.get(`/admin/schools/${rows[0].id}`)).body
  const { rows: caps } =
    await owner.query(`select c.name, a.name as academy from caps c join academies a on a.id = c.academy_id
    where c.name <> 'CAP KITA' and c.name like 'CAP%' order by c.id limit 1`)
  const [cap] = caps
  const place = { admin_district_as_cap: cap.name, education_authority_as_ae: cap.academy }
  const moved = await officer.put(`/admin/schools/${rows[0].id}`, {
    ...school,
    ...place,
    arrondissement_id: null,
  })
  expect(moved.status, JSON.stringify(moved.body)).toBe(200)
  const auditor = await portal.signedInAs('Auditor')
  for (const locale of ['en', 'fr'])
    expect((await sentences(auditor, 'auditable_type=school&event=updated', locale))[0]).toContain(
      `CAP KITA → ${cap.name}`,
    )
})

test('an auditor reads in the Excel file the same sentences as on the page', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const filters = { search: girls[0]?.student_code }
  const asked = await auditor.post('/admin/users/audit/logs/export', filters, { 'accept-language': 'fr' })
  expect(asked.status).toBe(202)
  const file = await until(async () => {
    const answer = await auditor.get(`/storage/exports/${asked.body.file_name}`)
    return answer.status === 200 && answer.bytes
  })
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(file as unknown as ArrayBuffer)
  expect(book.worksheets[0]?.getRow(2).getCell(5).text).toBe(
    'Modibo Keita a modifié « Date de naissance » d’Aïssata Traoré 1 : 03/02/2012 → 04/02/2012',
  )
})

test('a girl who is forgotten is erased from the values of the log, and the chain still verifies', async () => {
  const [, , girl] = girls
  await changeBirthday(girl as Girl, '2012-03-01')
  await asOwner.transaction().execute((tx) => eraseAuditsOf(tx, system, 'student', girl?.id ?? 0))
  await owner.query(
    `update users set first_name = 'Effacée', last_name = 'Effacée' where id = (select user_id from students where id = $1)`,
    [girl?.id],
  )
  const auditor = await portal.signedInAs('Auditor')
  expect(await sentences(auditor, `event=updated&search=${girl?.student_code}`)).toEqual([
    'Modibo Keita changed Effacée Effacée — the values are erased',
  ])
  // No name is copied into the log: what is stored of the entry is free of hers.
  const { rows } = await owner.query(
    `select a.*, w.old_values, w.new_values from audits a join audit_values w on w.audit_id = a.id
     where a.auditable_type = 'student' and a.auditable_id = $1`,
    [girl?.id],
  )
  expect(JSON.stringify(rows)).not.toContain('Traoré')
  await until(async () => (await linkAudits(db, portal.settings.secret, null)).linked === 0)
  expect(await verifyAudits(db, portal.settings.secret)).toMatchObject({ fault: null })
})
