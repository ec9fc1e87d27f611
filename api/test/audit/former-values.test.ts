import type { Permission } from '@portal/contracts/permissions'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { unsharedOf } from '../../src/privacy/former-values.service.ts'
import { lettersTo } from '../access/accounts-outbox.ts'
import { caseStage, expert } from '../cases/case-stage.ts'
import { runCommand } from '../commands.ts'
import { release } from '../modules/modules.ts'
import { startPortal, until } from '../portal.ts'
import { archive } from '../privacy/archives.ts'
import { tablesWith } from '../registers/known-girl.ts'
import { addPlaces, addSchools, addStudents, fileOf, imported, student } from '../registers/registers.ts'
import { machine, makeToken, report } from '../sync/sync.ts'

const portal = await startPortal()
const { owner, settings } = portal
const visit = 'visits.record' as Permission
const admin = await portal.signedInAs('Administrator')
let nurse = await portal.visitor()

beforeAll(async () => {
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 4, 'ZUQ')
  const label = (text: string) => ({ en: text, fr: text })
  const fields = [{ name: 'note', label: label('Note'), type: 'text' }]
  const collections = [{ name: 'visits', read: visit, write: visit, fields }]
  const permissions = [{ name: visit, label: label('Record visits') }]
  await release(portal.context.registry, { name: 'mfe-visits', version: '1.0.0', permissions, collections })
  await followModules(portal.context)()
  nurse = await portal.signedIn(visit)
})

const erase = async (...words: string[]) =>
  expect(await runCommand(settings, 'person-erase', words)).toMatchObject({ code: 0, err: '' })
const noted = async (note: string) =>
  expect((await nurse.post('/modules/mfe-visits/records/visits', { data: { note } })).status).toBe(200)
const idOf = async (table: string, column: string, value: string): Promise<number> =>
  (await owner.query(`select id from ${table} where ${column} = $1`, [value])).rows[0].id

/** Changes the code of a student on her page. */
async function recoded(from: string, to: string) {
  const path = `/admin/schools/students/${await idOf('students', 'student_code', from)}`
  const { student: stored } = (await admin.get(path)).body
  expect(await admin.put(path, { ...stored, student_code: to })).toMatchObject({ status: 200 })
}

/** Imports a guardian; a second time it changes the number. */
const guardian = async (n: number, contact_1: string) => {
  const cells = { parent_assigned_id: `TUT-${n}`, first_name: 'Fatoumata', last_name: `Coulibaly ${n}` }
  const row = { ...cells, contact_1, students: 'ZUQ-4' }
  expect((await imported(admin, 'parents', fileOf([row]))).state).toBe('imported')
}

test('a girl is erased with what still has the code and the number that she had before', async () => {
  const numbered = { student_code: 'ZUQ-1', admission_number: 'ADM-2026-0771' }
  for (const admission_number of ['ADM-2026-0771', 'ADM-2026-0772'])
    await imported(admin, 'students', fileOf([student(1, { ...numbered, admission_number })]))
  await noted('ZUQ-1 coughs')
  await noted('Look at adm-2026-0771')
  const send = machine(portal, await makeToken(portal))
  const message = report({ school_admin_code: 'KIT-1', class: '7A', absent: ['ZUQ-1'] })
  expect((await send({ messages: [message] })).status).toBe(202)
  const colleague = await portal.signedIn('students.view')
  const view = { list: '/admin/schools/students', name: 'To call', query: 'search=ZUQ-1' }
  expect((await colleague.post('/views', view)).status).toBe(200)
  const { filer, fileCase } = await caseStage(portal)
  const { number } = await fileCase(filer, { description: 'ZUQ-1 was not paid.' })
  await recoded('ZUQ-1', 'NEW-1')
  const { number: other } = await fileCase(filer, { description: 'The code NEW-1 is of another list.' })

  const id = await idOf('students', 'student_code', 'NEW-1')
  const { person } = (await admin.get(`/admin/people/student/${id}`)).body
  expect(person.naming).toEqual([number, other])
  await owner.query("update cases set status = 'resolved', decided_at = now()")
  await erase('--student', 'NEW-1', '--case', number, '--case', other)
  for (const text of ['ZUQ-1', 'ADM-2026-0771', 'ADM-2026-0772', 'NEW-1'])
    expect([text, await tablesWith(portal, text)]).toEqual([text, []])
})

test('a code that a girl had before stays where it may be of another girl, who has it now or had it since', async () => {
  await recoded('ZUQ-2', 'NEW-2')
  await recoded('ZUQ-3', 'ZUQ-2')
  await noted('ZUQ-2 has a fever')
  const { person } = (
    await admin.get(`/admin/people/student/${await idOf('students', 'student_code', 'NEW-2')}`)
  ).body
  expect(person.naming).toEqual([])
  await erase('--student', 'NEW-2')
  expect(await tablesWith(portal, 'ZUQ-2 has a fever')).toEqual([
    'public.audit_values',
    'public.module_records',
  ])
  expect(await tablesWith(portal, 'ZUQ-2')).toContain('public.students')

  // The third girl had ZUQ-3 alone, and ZUQ-2 after the second one, of whom nothing is known any more.
  await addStudents(portal, 1, 'YUQ')
  await recoded('YUQ-1', 'ZUQ-3')
  await recoded('ZUQ-3', 'NEW-4')
  await noted('ZUQ-3 is well')
  await recoded('ZUQ-2', 'NEW-3')
  await erase('--student', 'NEW-3')
  expect(await tablesWith(portal, 'ZUQ-3 is well')).toEqual(['public.audit_values', 'public.module_records'])
})

test('a guardian’s former number goes with her, and stays where somebody else has it by now', async () => {
  const [own, given] = ['+22370554401', '+22370554402']
  await guardian(1, own)
  await guardian(1, '+22370554411')
  await noted('Called 70 55 44 01 at noon')
  await guardian(2, given)
  await guardian(2, '+22370554412')
  await guardian(3, given)
  await noted('Called 70 55 44 02 at noon')
  await erase('--guardian', 'TUT-1')
  expect(await tablesWith(portal, 'Called 70 55 44 01')).toEqual([])
  expect(await tablesWith(portal, own)).toEqual([])
  await erase('--guardian', 'TUT-2')
  expect(await tablesWith(portal, 'Called 70 55 44 02')).toHaveLength(2)
  expect(await tablesWith(portal, given)).toEqual(['public.import_rows', 'public.parents'])
})

test('letters to an address that an erased account had before are deleted', async () => {
  const colleague = { first_name: 'Oumou', last_name: 'Sangaré', gender: 'female', type: 'partner' }
  const before = 'oumou.before@ong.example'
  const made = await admin.post('/admin/users', { ...colleague, email: before, user_title: 'mrs' })
  const { user } = made.body
  await until(async () => lettersTo(portal, before).length === 1)
  const path = `/users/profile/update/${user.id}`
  const { body } = await admin.put(path, { ...user, email: 'oumou.now@ong.example' })
  await admin.put(path, { deactivate: true, version: body.user.version })
  await erase('--user', 'oumou.now@ong.example')
  expect(lettersTo(portal, before)).toEqual([])
  expect(await tablesWith(portal, before)).toEqual([])
})

test('a person is looked up by what she was called before without reading the whole log and the changes of all imports', async () => {
  const nobody = {
    user_id: 0,
    student_ids: [],
    parent_ids: [],
    teacher_ids: [],
    referral_ids: [],
    list_ids: [],
  }
  const scans = await portal.db.transaction().execute(async (tx) => {
    // So few rows are read as a whole otherwise.
    await sql`set local enable_seqscan = off`.execute(tx)
    await unsharedOf(tx, nobody, ['ZUQ-77'])
    const { rows } = await sql<{ name: string; scans: number }>`
      select name, pg_stat_get_xact_numscans(name::regclass)::int as scans
      from unnest(array['audit_values_former', 'import_changes_former']) name`.execute(tx)
    return rows
  })
  expect(scans).toEqual([
    { name: 'audit_values_former', scans: expect.toSatisfy((count: number) => count > 0) },
    { name: 'import_changes_former', scans: expect.toSatisfy((count: number) => count > 0) },
  ])
})

test('a consultation is an expert’s own under the e-mail that she had before, and not one of another name', async () => {
  const { reviewer, fileCase } = await caseStage(portal)
  const colleague = { first_name: 'Néné', last_name: 'Keïta', gender: 'female', type: 'partner' }
  const before = 'clinic.before@ong.example'
  const made = await admin.post('/admin/users', { ...colleague, email: before, user_title: 'mrs' })
  const { id } = made.body.user
  for (const name of [{ first_name: 'Nene', last_name: 'Keita' }, {}]) {
    const { id: complain_id } = await fileCase()
    const asked = { ...expert, ...name, email: before, complain_id }
    expect((await reviewer.upload('/admin/cases/refer', asked)).status).toBe(200)
  }
  await admin.put(`/users/profile/update/${id}`, { ...made.body.user, email: 'clinic.now@ong.example' })
  const { json } = await archive(portal, admin, `user/${id}`)
  expect(json.referrals).toMatchObject([{ email: before, last_name: 'Keita' }])
})
