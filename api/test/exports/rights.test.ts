import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../src/kit/database/db.ts'
import { exportJob } from '../../src/kit/jobs/exports.ts'
import { enqueue } from '../../src/kit/jobs/jobs.ts'
import { followModules } from '../../src/modules/permissions.service.ts'
import { caseStage } from '../cases/case-stage.ts'
import type { Client } from '../client.ts'
import { release } from '../modules/modules.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools, addStudents, fileOf, imported, student } from '../registers/registers.ts'
import { exported as exportedFile, sheetOf } from './workbook.ts'

const portal = await startPortal()
const { owner } = portal
type Signed = Awaited<ReturnType<typeof portal.signedIn>>

beforeAll(async () => {
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 3)
})

const exported = async (person: Client, path: string, filters = {}) =>
  (await exportedFile(person, path, filters)).address
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

describe('records of a module', () => {
  const { registry } = portal.context
  const label = (text: string) => ({ en: text, fr: text })
  const record = 'visits.record' as Permission
  const visits = '/modules/mfe-visits/records/visits'

  beforeAll(async () => {
    const about = { name: 'about', label: label('about'), type: 'reference', to: 'case', filter: true }
    await release(registry, {
      ...{ name: 'mfe-visits', version: '1.0.0', permissions: [{ name: record, label: label('Visits') }] },
      collections: [{ name: 'visits', read: record, write: record, fields: [about] }],
    })
    await followModules(portal.context)()
  })
  const switched = async (action: 'disable' | 'enable') => {
    const { generation } = await registry.now()
    await registry.change({ name: 'mfe-visits', action, generation, by: 'a test' })
  }

  test('are not sent in a file while their module is disabled', async () => {
    const nurse = await portal.signedIn(record)
    const address = await exported(nurse, `${visits}/export`)
    await switched('disable')
    expect((await nurse.get(visits)).status).toBe(404)
    expect((await nurse.get(address)).status).toBe(403)
    await switched('enable')
    expect((await nurse.get(address)).status).toBe(200)
  })

  test('are not written into a file whose module was disabled after somebody asked for it', async () => {
    const nurse = await portal.signedIn(record)
    const { rows } = await owner.query('select params, locale from exports where kind = $1 limit 1', [
      'module-records',
    ])
    await switched('disable')
    const { id } = (
      await owner.query(
        `insert into exports (user_id, kind, params, locale, file_name)
         values ($1, 'module-records', $2, $3, 'visits-late.xlsx') returning id`,
        [nurse.user.id, rows[0].params, rows[0].locale],
      )
    ).rows[0]
    await transaction(portal.db, (tx) => enqueue(tx, exportJob, { id }))
    const stateOf = async () =>
      (await owner.query('select state from exports where id = $1', [id])).rows[0].state
    await until(async () => ['failed', 'ready'].includes(await stateOf()))
    expect(await stateOf()).toBe('failed')
    await switched('enable')
  })

  test('name no case that was the person’s own only when they asked for the file', async () => {
    const { fileCase } = await caseStage(portal)
    const nurse = await portal.signedIn(record, 'cases.create')
    const seer = await portal.signedIn(record, 'cases.view')
    const { id } = await fileCase(nurse, { title: 'Titleword' })
    expect((await nurse.post(visits, { data: { about: id } })).status).toBe(200)
    const [{ references }] = (await nurse.get(visits)).body.records.data
    expect(references.about.name).toBe('Titleword')
    const cellsFor = async (person: Signed) => {
      const sheet = await sheetOf(await exportedFile(person, `${visits}/export`))
      return JSON.stringify(sheet.getSheetValues())
    }
    expect(await cellsFor(nurse)).not.toContain('Titleword')
    expect(await cellsFor(seer)).toContain('Titleword')
  })

  test('are not sent any more in a file that names cases, once the person may not read cases', async () => {
    const person = await portal.signedIn(record, 'cases.view')
    const address = await exported(person, `${visits}/export`)
    await take(person, 'cases.view')
    expect((await person.get(address)).status).toBe(403)
    expect((await person.get(await exported(person, `${visits}/export`))).status).toBe(200)
  })

  test('are noted in the log with the filters by which a file was made', async () => {
    const nurse = await portal.signedIn(record)
    await exported(nurse, `${visits}/export`, { about: '999999' })
    const { rows } = await owner.query(
      `select v.new_values from audits a join audit_values v on v.audit_id = a.id
       where a.event = 'exported' and a.user_id = $1 order by a.id desc limit 1`,
      [nurse.user.id],
    )
    expect(rows[0].new_values).toMatchObject({
      module: 'mfe-visits',
      collection: 'visits',
      about: '999999',
      row_count: 0,
    })
  })
})
