import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { caseStage, file, pdf } from '../cases/case-stage.ts'
import { startPortal } from '../portal.ts'
import { eicar, startScanner } from './virus-scan.ts'

const scanner = await startScanner()
const portal = await startPortal({ scanner: { host: '127.0.0.1', port: scanner.port } })
const { filer, form } = await caseStage(portal)
const upload = (content: Buffer) =>
  filer.upload('/admin/cases', { ...form, file: file('letter.pdf', content) })
const infected = Buffer.concat([pdf.subarray(0, 20), eicar, pdf.subarray(20)])
const stored = () =>
  readdirSync(join(portal.settings.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  ).length

test('a person whose file carries a virus reads so at the field, and nothing of it is kept', async () => {
  expect((await upload(pdf)).status).toBe(200)
  const before = stored()
  const refused = await upload(infected)
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    {
      file: [
        'The virus scanner found something in this file, so it was not kept. Have the device it comes from checked.',
      ],
    },
  ])
  expect(stored()).toBe(before)
})

test('the scanner looks at the whole of a large workbook, also of one that the portal could not read', async () => {
  const officer = await portal.signedInAs('Administrator')
  const large = Buffer.concat([Buffer.alloc(5_000_000, 'x'), eicar])
  const refused = await officer.upload('/admin/schools/students/import', {
    school_students_file: file('students.xlsx', large),
  })
  expect(refused.status).toBe(422)
  expect(refused.body.errors.school_students_file[0]).toMatch(/^The virus scanner found something/)
})

test.each([
  ['has an error', 'INSTREAM size limit exceeded. ERROR'],
  ['says nothing', ''],
])('while the scanner %s, a person reads when to try again, and nothing is kept', async (_, answer) => {
  const broken = await startScanner(answer)
  const settings = portal.settings.scanner as { port: number }
  settings.port = broken.port
  const before = stored()
  const refused = await upload(pdf)
  expect(refused.status).toBe(503)
  expect(refused.headers['retry-after']).toBe('30')
  expect(refused.body.code).toBe('scanner_away')
  expect(refused.body.message).toBe(
    'Files cannot be checked for viruses at the moment. Nothing was kept. Try again in a few minutes.',
  )
  expect(stored()).toBe(before)
  await broken.close()
  // Nobody listens at its port now.
  expect((await upload(pdf)).status).toBe(503)
  settings.port = scanner.port
  expect((await upload(pdf)).status).toBe(200)
})
