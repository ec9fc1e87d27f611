import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import ExcelJS from 'exceljs'
import { rows } from '../database.ts'
import { makeLive } from '../publish.ts'
import { category, chooseFile, decide, uploadForReview } from '../registers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { makeModule, portalModule, readModule } from './new-module.ts'
import { newName } from './probe.ts'

const name = newName('visits')
const word = name.slice(4)
const place = mkdtempSync(join(tmpdir(), 'portal-records-'))
const dir = join(place, name)
const edit = (file: string, change: (text: string) => string) =>
  writeFileSync(join(dir, file), change(readFileSync(join(dir, file), 'utf8')))

/** A page with export and import, as the guide says it. */
function addExcel() {
  const number = { name: 'girls', label: { en: 'Girls', fr: 'Filles' }, type: 'whole', min: 0, max: 90 }
  edit('portal.module.json', (text) => {
    const manifest = JSON.parse(text)
    const [notes] = manifest.collections
    const collection = { ...notes, fields: [...notes.fields, number], import: `/admin/${word}` }
    return JSON.stringify({
      ...{ ...manifest, title: { en: 'Visits', fr: 'Visites' } },
      ...{ collections: [collection], calls: ['GET /storage/exports/:file_name'] },
    })
  })
  edit('src/notes/NotesPage.tsx', (text) =>
    text
      .replace(
        'import { lazy }',
        "import { ExportButton } from '@portal/screens/ExportButton'\nimport { ImportRecordsButton } from '@portal/screens/ImportButton'\nimport { lazy }",
      )
      .replace(
        'actions={add}',
        `actions={<>
          <ExportButton endpoint={notes.export} body={{}} permission="${word}.view">Excel</ExportButton>
          <ImportRecordsButton endpoint={notes.import} permission="${word}.write" />
          {add}
        </>}`,
      ),
  )
}

async function workbook(change: (sheet: ExcelJS.Worksheet) => void, bytes?: Buffer) {
  const book = new ExcelJS.Workbook()
  if (bytes) await book.xlsx.load(bytes as never)
  const sheet = book.worksheets[0] ?? book.addWorksheet('Notes')
  change(sheet)
  const buffer = Buffer.from(await book.xlsx.writeBuffer())
  return { name: 'visits.xlsx', mimeType: 'application/octet-stream', buffer }
}

const frameOf = (page: Page) => page.frameLocator('iframe[title="Visits"]')

test.afterAll(async () => {
  rmSync(place, { recursive: true, force: true })
  await rows('delete from module_records where module = $1', name)
})

test('a person imports thirty records with two errors from an isolated module, exports them and brings the file back', async ({
  person,
}) => {
  test.setTimeout(300_000)
  await makeModule(dir)
  addExcel()
  expect(await portalModule(dir, 'build')).toMatch(/build [0-9a-f]{12}/)
  await makeLive(readModule(dir), { trusted: false })
  const admin = await person('admin')
  await expect
    .poll(async () => (await (await admin.request.get('/api/session')).json()).permissions)
    .toContain(`${word}.write`)

  await admin.goto(`/admin/${word}`)
  await frameOf(admin).getByRole('link', { name: 'Import' }).click()
  await expect(admin.getByRole('heading', { name: 'Import records: Note' })).toBeVisible()
  await expectAccessible(admin, 'the import of records')
  const downloading = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Sample' }).click()
  const sample = readFileSync(await (await downloading).path())
  const filled = await workbook((sheet) => {
    for (let n = 0; n < 30; n++)
      sheet.getRow(n + 2).values = [`Visit ${n}`, 'All well', n === 7 ? 900 : n === 8 ? 'many' : n]
  }, sample)
  await chooseFile(admin, filled)
  await expect(admin.getByText('Write a number from 0 to 90.').first()).toBeVisible()
  await uploadForReview(admin)
  await expect(category(admin, 'new')).toContainText('28')
  await expect(category(admin, 'rejected')).toContainText('2')
  await admin.goto('/home')
  await admin.goBack()
  await admin.getByLabel('Girls, row 9').fill('70')
  await expectAccessible(admin, 'the review of records')
  await expectNoSidewaysScroll(admin, 'the review of records')
  // What was written is checked first, and then imported.
  await decide(admin).click()
  await expect(category(admin, 'new')).toContainText('29')
  await decide(admin).click()
  await expect(admin.getByText('29 rows were saved.')).toBeVisible()
  const rejected = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Rejected rows' }).first().click()
  expect((await rejected).suggestedFilename()).toMatch(/^rejected-\d+\.xlsx$/)
  await admin.getByRole('main').getByRole('link', { name: 'Visits' }).last().click()

  // The export of a frame is saved by the portal, and comes back with one change.
  await expect(frameOf(admin).getByText('Visit 29')).toBeVisible()
  const exporting = admin.waitForEvent('download')
  await frameOf(admin).getByRole('button', { name: 'Excel' }).click()
  const exported = readFileSync(await (await exporting).path())
  const changed = await workbook((sheet) => {
    expect(sheet.rowCount).toBe(30)
    sheet.getRow(2).getCell(4).value = 44
  }, exported)
  await frameOf(admin).getByRole('link', { name: 'Import' }).click()
  await chooseFile(admin, changed)
  await uploadForReview(admin)
  await decide(admin).click()
  await expect(admin.getByText('0 new, 1 changed; 28 were the same already.')).toBeVisible()
  expect(
    await rows(
      "select data->>'girls' as girls, version from module_records where module = $1 order by id limit 1",
      name,
    ),
  ).toEqual([{ girls: '44', version: 2 }])
})
