import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { tidy } from '../../src/privacy/retention.service.ts'
import { verifyLedger } from '../../src/transfers/ledger/ledger-check.service.ts'
import type { Client } from '../client.ts'
import { dayFromNow, recipient, startStage } from '../cohorts.ts'
import { runCommand } from '../commands.ts'
import { settled, tablesWith } from '../registers/known-girl.ts'
import { fileOf, imported, stopped } from '../registers/registers.ts'

const stage = await startStage(12)
const { portal } = stage
const { owner, settings } = portal
const run = (name: string, ...words: string[]) => runCommand(settings, name, words)
const erase = async (...words: string[]) =>
  expect(await run('person-erase', ...words)).toMatchObject({ code: 0, err: '' })
let school: Client

beforeAll(async () => {
  await portal.worker()
  await owner.query(`insert into reference_values (list, code, en, fr, country) values ('class_level', '7', 'Year 7', '7e année', 'ml'),
    ('partner_type', 'ngo', 'Non-governmental organisation', 'Organisation non gouvernementale', null) on conflict do nothing`)
  school = await portal.signedInAs('School Officer')
})

const code = (n: number) => `KYS-${String(n).padStart(6, '0')}`
const girl = (n: number, cells: Record<string, string> = {}) => ({
  student_code: code(n),
  first_name: 'Élève',
  last_name: `N° ${n}`,
  date_of_birth: '03/02/2012',
  current_class_level: '7',
  admin_code: 'KYS-001',
  ...cells,
})
const guardian = (n: number, cells: Record<string, string> = {}) => ({
  parent_assigned_id: `TUT-${n}`,
  first_name: 'Fatoumata',
  last_name: `Coulibaly ${n}`,
  contact_1: recipient(n)[2] as string,
  students: code(n),
  ...cells,
})

/** Moves the end of an import so far into the past that a night deletes its rows, and lets that night come. */
async function rowsAreDeleted(id: number) {
  await owner.query("update imports set finished_at = now() - interval '91 days' where id = $1", [id])
  await owner.query('delete from retention_runs')
  await tidy(portal.context)
  expect((await owner.query('select from import_rows where import_id = $1', [id])).rows).toEqual([])
}

const isDropped = async (id: number) =>
  (
    await owner.query(
      'select f.dropped_at is not null as dropped from imports i join files f on f.id = i.file_id where i.id = $1',
      [id],
    )
  ).rows[0].dropped

/** The import of the file of a cohort. */
const importOf = async (cohort: number): Promise<number> =>
  (await owner.query('select import_id from transfer_cohorts where id = $1', [cohort])).rows[0].import_id

async function exported(...words: string[]) {
  const to = join(settings.dataDir, `exported-${words.at(-1)}`)
  expect((await run('person-export', ...words, '--to', to)).code).toBe(0)
  return JSON.parse(readFileSync(join(to, 'person.json'), 'utf8'))
}

test('a file in which an erased girl stood unchanged cannot be downloaded any more, and her export lists it', async () => {
  const file = fileOf([girl(1), girl(2)])
  const first = await imported(school, 'students', file)
  const { id, rows_unchanged } = await imported(school, 'students', file)
  expect(rows_unchanged).toBe(2)
  const { files } = await exported('--student', code(1))
  expect(files.map(({ certain }: { certain: boolean }) => certain).toSorted()).toEqual([false, true])
  const named = [first.id, id].map(isDropped)
  expect(await Promise.all(named)).toEqual([false, false])
  await erase('--student', code(1))
  expect(await Promise.all([first.id, id].map(isDropped))).toEqual([true, true])
  expect(await school.get(`/imports/${id}/file`)).toMatchObject({ status: 404 })
})

test('a file of which every row is still known stays, if no row is of the erased girl', async () => {
  const { id } = await imported(school, 'students', fileOf([girl(2, { admission_number: 'N-2026-0002' })]))
  await erase('--student', code(3))
  expect(await school.get(`/imports/${id}/file`)).toMatchObject({ status: 200 })
})

test('a file of an import that was cancelled loses its content with a girl who may be in it', async () => {
  const { id } = await imported(
    school,
    'students',
    fileOf([girl(4, { admission_number: 'N-2026-0004' })]),
    true,
  )
  expect((await school.post(`/imports/${id}/cancel`, {})).status).toBe(200)
  expect(await stopped(school, id)).toMatchObject({ state: 'cancelled' })
  await erase('--student', code(4))
  expect(await isDropped(id)).toBe(true)
})

test('what an import changed of an erased girl goes, also after its rows were deleted, and her export has it', async () => {
  const row = girl(5, { last_name: 'Keïta-Zanga' })
  const review = await imported(school, 'students', fileOf([row]), true)
  const corrections = [{ row: 2, column: 'first_name', value: 'Zoumana-Awa' }]
  expect((await school.post(`/imports/${review.id}/check`, { corrections })).status).toBe(200)
  await school.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(school, review.id)).toMatchObject({ state: 'imported', rows_changed: 1 })
  await rowsAreDeleted(review.id)
  const { import_changes, import_corrections, audits, files } = await exported('--student', code(5))
  expect(import_changes.map((change: { column: string }) => change.column)).toEqual(
    expect.arrayContaining(['first_name', 'last_name', 'date_of_birth']),
  )
  expect(import_corrections).toMatchObject([{ new_value: 'Zoumana-Awa' }])
  expect(files).toEqual(expect.arrayContaining([expect.objectContaining({ certain: true })]))
  expect(JSON.stringify(audits)).toContain('Zoumana-Awa')
  await erase('--student', code(5))
  for (const text of ['Keïta-Zanga', 'Zoumana-Awa']) expect(await tablesWith(portal, text), text).toEqual([])
  expect(await isDropped(review.id)).toBe(true)
})

test('her code leaves what an import changed of another person’s record', async () => {
  expect((await imported(school, 'parents', fileOf([guardian(6)]))).state).toBe('imported')
  const added = fileOf([guardian(6, { students: `${code(6)}; ${code(7)}` })])
  const { id } = await imported(school, 'parents', added)
  await rowsAreDeleted(id)
  expect(await tablesWith(portal, code(7))).toContain('public.import_changes')
  await erase('--student', code(7))
  expect(await tablesWith(portal, code(7))).toEqual([])
})

test('a target list’s file goes with a girl of the list after its rows were deleted, and stays for any other', async () => {
  const cohort = await stage.imported('Kayes, old', [recipient(8), recipient(9)])
  expect((await stage.approve(cohort)).status).toBe(200)
  await settled(stage, cohort)
  const id = await importOf(cohort)
  await owner.query(
    `insert into import_corrections (import_id, "row", "column", new_value, user_id)
     select $1, "row", 'receiver_first_name', 'Zoumana-Ba', $2 from transfer_master_list where student_code = $3`,
    [id, stage.officer.user.id, code(8)],
  )
  await rowsAreDeleted(id)
  await erase('--student', code(10))
  expect(await isDropped(id)).toBe(false)
  await erase('--student', code(8))
  expect(await isDropped(id)).toBe(true)
  expect(await tablesWith(portal, 'Zoumana-Ba')).toEqual([])
  expect(await verifyLedger(portal.db)).toMatchObject({ faults: [] })
})

test('a guardian who was paid and is no longer linked to the girl is found in her list, and leaves it', async () => {
  const phone = recipient(11)[2] as string
  const girls = [guardian(11), guardian(12, { last_name: 'Sidibé', contact_1: '+22376000000' })]
  expect((await imported(school, 'parents', fileOf(girls))).state).toBe('imported')
  const cohort = await stage.imported('Kayes, rounds', [recipient(11)], {
    from: dayFromNow(0),
    to: dayFromNow(58),
  })
  expect((await stage.approve(cohort)).status).toBe(200)
  await settled(stage, cohort)
  // The family names another guardian.
  await owner.query(
    `update parent_students set parent_id = (select id from parents where parent_assigned_id = 'TUT-12')
     where parent_id = (select id from parents where parent_assigned_id = 'TUT-11')`,
  )
  expect((await run('person-erase', '--guardian', 'TUT-11')).err).toContain(
    'Cohort "Kayes, rounds" has rounds to come (1)',
  )
  // A neighbour whose telephone it is, too: what has the name of the other one is not hers.
  const neighbour = guardian(13, { last_name: 'Kanté', contact_1: phone, students: code(12) })
  expect((await imported(school, 'parents', fileOf([neighbour]))).state).toBe('imported')
  const callOn = (number: string) =>
    owner.query(`update parents set contact_1 = $1 where parent_assigned_id = 'TUT-11'`, [number])
  // Nor if the other one has another telephone by now.
  await callOn('+22376000001')
  await erase('--guardian', 'TUT-13')
  await callOn(phone)
  // She has another number since, and her file says that she is of another girl.
  const moved = guardian(11, { contact_1: '+22376000002', students: code(12) })
  expect((await imported(school, 'parents', fileOf([moved]))).state).toBe('imported')
  const receiver = async () =>
    (
      await owner.query(
        'select receiver_last_name as name, receiver_phone_number as phone from transfer_master_list where cohort_id = $1',
        [cohort],
      )
    ).rows
  expect(await receiver()).toEqual([{ name: 'Coulibaly 11', phone }])
  await erase('--guardian', 'TUT-11', '--stop-paying')
  expect(await tablesWith(portal, phone)).toEqual([])
  expect(await tablesWith(portal, 'Coulibaly 11')).toEqual([])
  expect(await verifyLedger(portal.db)).toMatchObject({ faults: [] })
})

test('a guardian no longer linked to the girl is found by an approved correction with her name and number, too', async () => {
  const paid = recipient(2, { lastTwo: 2 })
  const cohort = await stage.imported('Kayes, corrected', [paid])
  expect((await stage.approve(cohort)).status).toBe(200)
  await settled(stage, cohort)
  const { rows } = await owner.query('select id from transfer_master_list where cohort_id = $1', [cohort])
  const corrected = {
    receiver_first_name: 'Oumou',
    receiver_last_name: 'Sangaré',
    receiver_phone_number: '+22376111111',
  }
  const path = `/admin/transfers/master-list/${rows[0].id}/corrections`
  expect((await stage.officer.post(path, { ...corrected, reason: 'Her aunt is paid' })).status).toBe(200)
  const waiting = await stage.approver.get('/admin/transfers/corrections')
  const { id } = waiting.body.corrections.data[0]
  const decided = await stage.approver.post(`/admin/transfers/corrections/${id}/decide`, {
    action: 'approved',
  })
  expect(decided.status).toBe(200)
  const other = guardian(14, {
    first_name: 'Oumou',
    last_name: 'Sangaré',
    contact_1: '+22376111111',
    students: code(12),
  })
  expect((await imported(school, 'parents', fileOf([other]))).state).toBe('imported')
  const { transfer_master_list, recipient_corrections } = await exported('--guardian', 'TUT-14')
  expect(transfer_master_list).toMatchObject([{ receiver_phone_number: paid[2] }])
  expect(recipient_corrections).toHaveLength(1)
})

test('a partner’s person without an account is erased, and the partner stays', async () => {
  const admin = await portal.signedInAs('Administrator')
  const person = { email: 'contact@ong.example', first_name: 'Moussa', last_name: 'Koné-Zié' }
  const partner = { ...person, name: 'Kayes Ensemble', partner_type: 'ngo', partner_since: '15/01/2021' }
  expect((await imported(admin, 'partners', fileOf([partner]))).state).toBe('imported')
  await erase('--user', person.email)
  for (const text of [person.email, person.last_name])
    expect(await tablesWith(portal, text), text).toEqual([])
  expect((await owner.query("select from partners where name = 'Kayes Ensemble'")).rows).toHaveLength(1)
})
