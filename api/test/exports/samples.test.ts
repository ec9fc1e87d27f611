import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sheetKinds } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { sheetOf } from '@portal/contracts/imports/sheets'
import { expect, test } from 'vitest'
import { checkHeadings, readRows } from '../../src/excel/read.ts'
import { fileOf as onDisk } from '../imports/workbooks.ts'
import { until } from '../portal.ts'
import { addStudents, imported, startImports } from '../registers/registers.ts'

const { portal, owner } = await startImports(2)
const temporaryFiles = () => readdirSync(join(portal.settings.dataDir, 'files', 'temp'))

async function rowsOf(bytes: Buffer, sheet: Sheet) {
  const rows = []
  for await (const batch of readRows(onDisk(bytes), sheet)) rows.push(...batch)
  return rows
}

test.each(sheetKinds)(
  'the sample of %s has the right headings and two rows, in both languages, for who may import it',
  async (kind) => {
    const admin = await portal.signedInAs('Administrator')
    for (const language of ['en', 'fr']) {
      const file = await admin.get(`/storage/samples/${kind}.xlsx`, { 'accept-language': language })
      expect(file.status).toBe(200)
      expect(file.headers['content-disposition']).toContain(`${kind}.xlsx`)
      const sheet =
        kind === 'target-list'
          ? (await import('@portal/contracts/transfers/target-list.sheet')).targetListSheet('mobile_money')
          : sheetOf(kind, { sensitive: true })
      expect(await checkHeadings(onDisk(file.bytes), sheet)).toMatchObject({ ok: { extra: [] } })
      expect(await rowsOf(file.bytes, sheet)).toHaveLength(2)
    }
    expect(temporaryFiles()).toEqual([])
    const auditor = await portal.signedInAs('Auditor')
    expect((await auditor.get(`/storage/samples/${kind}.xlsx`)).status).toBe(403)
  },
)

test('a person who asks for an unknown sample file gets 404', async () => {
  const person = await portal.signedInAs('School Officer')
  expect((await person.get('/storage/samples/users.xlsx')).status).toBe(404)
})

/** Asks for an export and waits for its file. */
async function exported(
  person: Awaited<ReturnType<typeof portal.signedIn>>,
  path: string,
  body: object = {},
) {
  const accepted = await person.post(path, body)
  expect(accepted).toMatchObject({ status: 202, body: { message: 'Your export is being prepared.' } })
  return until(async () => {
    const answer = await person.get(`/storage/exports/${accepted.body.file_name}`)
    return answer.status === 200 && { bytes: answer.bytes, name: accepted.body.file_name as string }
  })
}

test('an officer imports an exported file of students again without any change', async () => {
  await addStudents(portal, 30)
  await owner.query(
    `update users set last_name = '=HYPERLINK("http://example.org")' where last_name = 'Traoré 3'`,
  )
  const person = await portal.signedInAs('School Officer')
  const { bytes, name } = await exported(person, '/admin/schools/students/export')
  expect(name).toMatch(/^students-\d{4}-\d\d-\d\d-[0-9a-f]+\.xlsx$/)
  const rows = await rowsOf(bytes, sheetOf('students', { sensitive: true }))
  expect(rows).toHaveLength(30)
  expect(rows[0]?.cells).toMatchObject({
    student_code: 'S-1',
    date_of_birth: '2012-02-03',
    admin_code: 'KIT-1',
    maternal_status: 'none',
  })
  const file = new File([new Uint8Array(bytes)], 'students.xlsx')
  expect(await imported(person, 'students', file)).toMatchObject({
    state: 'imported',
    rows_unchanged: 30,
    rows_changed: 0,
    rows_rejected: 0,
  })
})

test('an officer exports what search and filters show, with sensitive columns only if she may see them', async () => {
  await addStudents(portal, 12)
  const plain = await portal.signedIn('students.export', 'students.view')
  const { bytes, name } = await exported(plain, '/admin/schools/students/export', { search: 'traore 1' })
  const rows = await rowsOf(bytes, sheetOf('students', { sensitive: true }))
  expect(rows.map(({ cells }) => cells.student_code)).toEqual(['S-1', 'S-10', 'S-11', 'S-12'])
  expect(rows[0]?.cells.maternal_status).toBeNull()
  const other = await portal.signedIn('students.export')
  expect((await other.get(`/storage/exports/${name}`)).status).toBe(404)
  expect((await other.post('/admin/schools/export', {})).status).toBe(403)
})

test('an officer exports the selected rows that match the filters', async () => {
  await addStudents(portal, 6)
  const person = await portal.signedInAs('School Officer')
  const { rows } = await owner.query(
    "select id from students where student_code in ('S-2', 'S-5') order by id",
  )
  const ids = rows.map(({ id }) => Number(id))
  const codes = async (body: object) => {
    const { bytes } = await exported(person, '/admin/schools/students/export', body)
    const found = await rowsOf(bytes, sheetOf('students', { sensitive: true }))
    return found.map(({ cells }) => cells.student_code)
  }
  expect(await codes({ ids })).toEqual(['S-2', 'S-5'])
  expect(await codes({ ids, search: 'traore 5' })).toEqual(['S-5'])
  const schools = (await owner.query("select id from schools where admin_code = 'KIT-1'")).rows
  const { bytes } = await exported(person, '/admin/schools/export', { ids: [Number(schools[0].id)] })
  expect(await rowsOf(bytes, sheetOf('schools', { sensitive: false }))).toHaveLength(1)
  expect((await person.post('/admin/schools/export', { ids: [] })).status).toBe(422)
})

test('an officer exports schools with their counts, and imports the file again without any change', async () => {
  await addStudents(portal, 2)
  const person = await portal.signedInAs('School Officer')
  const { bytes } = await exported(person, '/admin/schools/export')
  const rows = await rowsOf(bytes, sheetOf('schools', { sensitive: false }))
  expect(rows[0]?.cells).toMatchObject({
    admin_code: 'KIT-1',
    admin_district_as_cap: 'CAP KITA',
    classes: '7A; 8A',
  })
  const file = new File([new Uint8Array(bytes)], 'schools.xlsx')
  expect(await imported(person, 'schools', file)).toMatchObject({ rows_unchanged: 3, rows_rejected: 0 })
})
