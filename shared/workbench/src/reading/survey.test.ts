// @vitest-environment node
import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { parentsSheet } from '@portal/contracts/registers/parents.sheet'
import { studentsSheet } from '@portal/contracts/registers/students.sheet'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { inspectSource } from '@portal/excel/inspect'
import { openXls } from '@portal/excel/xls'
import { openXlsx } from '@portal/excel/xlsx'
import { expect, test } from 'vitest'
import { chosenFile, unpackFrom } from './chosen-file.ts'
import { surveyWorkbook } from './survey.ts'

const fixture = (name: string) =>
  openAsBlob(join(import.meta.dirname, '../../../../api/test/fixtures/excel', name))
const silent = () => undefined

async function survey(file: Blob, sheet: Parameters<typeof surveyWorkbook>[1]) {
  const source = chosenFile(file)
  const inspected = await inspectSource(source)
  const grids =
    inspected.kind === 'xlsx'
      ? await openXlsx(source, inspected.entries, unpackFrom(file))
      : openXls(await source.read(0, source.size))
  return surveyWorkbook(grids, sheet, silent)
}

test.each(['libreoffice.xlsx', 'libreoffice.xls'])(
  '%s is read in the browser as the server reads it',
  async (name) => {
    const found = await survey(await fixture(name), targetListSheet('mobile_money'))
    expect(found).toMatchObject({ sheet_name: 'list', problem: null, rows: 4, faulty: 0 })
    expect(found.headings.map(({ column }) => column)).toEqual([
      'receiver_first_name',
      'receiver_last_name',
      'receiver_phone_number',
      'student_code',
      'amount',
      null,
    ])
    expect(found.first[2]).toMatchObject({ row: 4, cells: { receiver_last_name: 'Traoré' } })
  },
)

/** A workbook of one sheet, each cell as inline text. */
function workbook(rows: string[][]): Blob {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const relations = (type: string, target: string) =>
    `<Relationships><Relationship Id="r" Type="x/${type}" Target="${target}"/></Relationships>`
  return zipped({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': '<workbook><sheets><sheet name="Parents" id="r"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'sheet.xml'),
    'xl/sheet.xml': `<worksheet><sheetData>${rows
      .map((row) => `<row>${row.map(cell).join('')}</row>`)
      .join('')}</sheetData></worksheet>`,
  })
}

function zipped(parts: Record<string, string>): Blob {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(parts)) {
    const packed = deflateRawSync(text)
    const sizes = Buffer.alloc(16)
    sizes.writeUInt32LE(packed.length, 4)
    sizes.writeUInt32LE(Buffer.byteLength(text), 8)
    sizes.writeUInt16LE(name.length, 12)
    const before = Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0])
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), before, sizes, Buffer.from(name), packed])
    const more = Buffer.alloc(14)
    more.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), before, sizes, more, Buffer.from(name)]))
    files.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return new Blob([Buffer.concat([...files, ...directory, end])])
}

const headings = ['Code parent', 'Prénom', 'Nom', 'Téléphone', 'Observations']

test('what is wrong is told by column and reason before a byte is sent', async () => {
  const found = await survey(
    workbook([
      headings,
      ['P-1', 'Awa', 'Keïta', '76 12 34 56', ''],
      ['P-2', 'Sitan', 'Kanté', '7612345', 'x'],
      ['', 'Nana', 'Doucouré', '78 20 44 O5', ''],
    ]),
    parentsSheet,
  )
  expect(found).toMatchObject({ rows: 3, faulty: 2 })
  expect(found.faults).toEqual([
    { column: 'contact_1', problem: 'phone_digits_ml|7', count: 1, samples: [{ row: 3, value: '7612345' }] },
    { column: 'parent_assigned_id', problem: 'required', count: 1, samples: [{ row: 4, value: '' }] },
    { column: 'contact_1', problem: 'phone_letter|O', count: 1, samples: [{ row: 4, value: '78 20 44 O5' }] },
  ])
  expect(found.firstFaulty.map(({ row }) => row)).toEqual([3, 4])
})

test('a file without a needed heading is told with the headings it has and its number of rows', async () => {
  const found = await survey(
    workbook([
      ['Code parent', 'Prénom', 'Taille'],
      ...Array.from({ length: 500 }, (_, at) => [`P-${at}`, 'Awa', '38']),
    ]),
    parentsSheet,
  )
  expect(found.problem).toMatch(/^headings_missing\|/)
  expect(found.rows).toBe(500)
  expect(found.headings).toEqual([
    { text: 'Code parent', column: 'parent_assigned_id', samples: ['P-0', 'P-1', 'P-2'] },
    { text: 'Prénom', column: 'first_name', samples: ['Awa', 'Awa', 'Awa'] },
    { text: 'Taille', column: null, samples: ['38', '38', '38'] },
  ])
})

test('headings below a title that nobody knows are found, and read once a person has named them', async () => {
  const file = workbook([
    ['Liste des tuteurs'],
    ['Ident', 'Petit nom', 'Grand nom', 'Cel'],
    ['P-1', 'Awa', 'Keïta', '76 12 34 56'],
  ])
  const unknown = await survey(file, parentsSheet)
  expect(unknown).toMatchObject({ rows: 1 })
  expect(unknown.headings.map(({ text }) => text)).toEqual(['Ident', 'Petit nom', 'Grand nom', 'Cel'])
  const chosen = {
    Ident: 'parent_assigned_id',
    'Petit nom': 'first_name',
    'Grand nom': 'last_name',
    Cel: 'contact_1',
  }
  const named = await survey(file, { ...parentsSheet, chosen })
  expect(named).toMatchObject({ problem: null, rows: 1, faulty: 0 })
  expect(named.first[0]?.cells).toMatchObject({ parent_assigned_id: 'P-1', contact_1: '76 12 34 56' })
})

test.each(['xlsx', 'xls'])(
  'cells of several rows that are merged are told by their range (.%s)',
  async (format) => {
    const students = studentsSheet(false)
    // A title, and cells below the list, hide nothing.
    expect(await survey(await fixture(`students.${format}`), students)).toMatchObject({
      problem: null,
      rows: 7,
    })
    const refused = await survey(await fixture(`merged.${format}`), students)
    expect(refused.problem).toBe(sentence('workbook_merged', 'E6:E7'))
    expect(refused.headings.length).toBeGreaterThan(5)
  },
)

test.each(['xlsx', 'xls'])(
  'the rows that are hidden in a file are read and counted (.%s)',
  async (format) => {
    const students = studentsSheet(false)
    const found = await survey(await fixture(`hidden.${format}`), students)
    expect(found).toMatchObject({ problem: null, rows: 7, hidden: 2 })
    expect(await survey(await fixture(`students.${format}`), students)).toMatchObject({ rows: 7, hidden: 0 })
  },
)

test('a file cut off on its way is refused', async () => {
  const whole = workbook([headings, ['P-1', 'Awa', 'Keïta', '76123456', '']])
  await expect(survey(whole.slice(0, whole.size - 40), parentsSheet)).rejects.toThrow('workbook_damaged')
})
