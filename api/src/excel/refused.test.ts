import { readFileSync } from 'node:fs'
import { say } from '@portal/contracts/sentences'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { expect, test } from 'vitest'
import { bomb, fixture, flip, lockedXls, ole } from '../../test/imports/broken-files.ts'
import {
  fileOf,
  pack,
  rowXml,
  sheetXml,
  workbook,
  workbookOf,
  workbookParts,
  zip,
} from '../../test/imports/workbooks.ts'
import { checkHeadings, readRows } from './read.ts'

const list = targetListSheet('mobile_money')
const headings = ['Prénom', 'Nom', 'Téléphone', 'Code élève', 'Montant']
const row = ['Aminata', 'Diarra', 76123456, 'ML-001', 10500]
const readAll = async (path: string) => {
  for await (const _ of readRows(path, list));
}

const good = zip(workbookParts([{ name: 'List', xml: sheetXml(rowXml(headings) + rowXml(row)) }]))
const cutOff = good.subarray(0, good.length - 400)
const entities = (declaration: string, use: string) => {
  const rows = rowXml(headings) + rowXml([use, ...row.slice(1)])
  const xml = `<?xml version="1.0"?>${declaration}<worksheet><sheetData>${rows}</sheetData></worksheet>`
  return fileOf(zip(workbookParts([{ name: 'List', xml }])))
}

test.each<[string, () => string, string]>([
  ['an empty file', () => fileOf(''), 'The file is empty.'],
  [
    'a PDF',
    () => fileOf('%PDF-1.7\n%âãÏÓ\n1 0 obj'),
    'This is a PDF, not an Excel file. Export the list as .xlsx and choose that file.',
  ],
  [
    'a CSV',
    () => fileOf('Prénom;Nom;Téléphone\nAminata;Diarra;76123456\n'),
    'This is a text file (CSV). Open it in Excel and save it as .xlsx.',
  ],
  [
    'an HTML table named .xls',
    () => fileOf('\n<html><table><tr><td>Nom</td></tr></table></html>', 'list.xls'),
    'This is a web page named like an Excel file. Open it in Excel and save it as .xlsx.',
  ],
  [
    'an XML spreadsheet',
    () => fileOf('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>', 'list.xls'),
    'This is an XML file. Open it in Excel and save it as .xlsx.',
  ],
  [
    'a picture',
    () => fileOf(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')),
    'This is not an Excel file.',
  ],
  [
    'a zip of something else',
    () => fileOf(zip([{ name: 'photo.jpg', data: 'x' }])),
    'This is a zip archive, not an Excel file.',
  ],
  ['an empty zip', () => fileOf(zip([])), 'This is a zip archive, not an Excel file.'],
  [
    'a Word document',
    () =>
      fileOf(
        zip([
          { name: '[Content_Types].xml', data: '' },
          { name: 'word/document.xml', data: '' },
        ]),
      ),
    'This is a document or a presentation, not an Excel file.',
  ],
  [
    'an OpenDocument spreadsheet',
    () =>
      fileOf(
        zip([
          { name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet' },
          { name: 'content.xml', data: '' },
        ]),
      ),
    'This is an OpenDocument spreadsheet. Save it as .xlsx and choose that file.',
  ],
  [
    'a binary workbook',
    () => fileOf(zip([...workbookParts([]), { name: 'xl/workbook.bin', data: '' }])),
    'This is a binary Excel workbook (.xlsb). Save it as .xlsx and choose that file.',
  ],
  [
    'a workbook with macros',
    () =>
      fileOf(
        zip([
          ...workbookParts([{ name: 'List', xml: sheetXml('') }]),
          { name: 'xl/vbaProject.bin', data: 'x' },
        ]),
      ),
    'This workbook holds macros. Save it as .xlsx, without macros, and choose that file.',
  ],
  [
    'a zip with a password',
    () => fileOf(zip([{ name: 'xl/workbook.xml', packed: Buffer.from('x'), unpacked: 1, crc: 0, flags: 1 }])),
    'This workbook is protected by a password. Save it without one and choose that file.',
  ],
  [
    'an .xlsx with a password',
    () => ole(['EncryptionInfo', Buffer.alloc(64)], ['EncryptedPackage', Buffer.alloc(9000)]),
    'This workbook is protected by a password.',
  ],
  ['an .xls with a password', lockedXls, 'This workbook is protected by a password.'],
  [
    'an old Word document',
    () => ole(['WordDocument', Buffer.alloc(5000)]),
    'This is a document or a presentation, not an Excel file.',
  ],
  [
    'a workbook of Excel 5',
    () => ole(['Book', Buffer.alloc(5000)]),
    'This workbook was made by a very old Excel.',
  ],
  [
    'an .xls of noise',
    () => ole(['Workbook', Buffer.alloc(5000, 'noise')]),
    'The file is cut off or damaged.',
  ],
  [
    'two parts of one name',
    () =>
      fileOf(
        zip([
          ...workbookParts([{ name: 'List', xml: sheetXml('') }]),
          { name: 'XL/worksheets/sheet1.xml', data: 'x' },
        ]),
      ),
    'The file is cut off or damaged.',
  ],
  ['a workbook cut off at its end', () => fileOf(cutOff), 'The file is cut off or damaged.'],
  [
    'a workbook cut off in the middle',
    () => fileOf(readFileSync(fixture('libreoffice.xlsx')).subarray(0, 2500)),
    'The file is cut off or damaged.',
  ],
  [
    'a workbook of which a byte was changed',
    () => fileOf(flip(good, 'xl/worksheets/sheet1.xml')),
    'The file is cut off or damaged.',
  ],
  ...[2n ** 63n, 2n ** 64n - 1n, 1_000_000n].map((offset): [string, () => string, string] => [
    `a workbook whose parts should stand at octet ${offset}`,
    () => fileOf(zip(workbookParts([{ name: 'List', xml: '' }]).map((part) => ({ ...pack(part), offset })))),
    'The file is cut off or damaged.',
  ]),
  [
    'an .xls cut off',
    () => fileOf(readFileSync(fixture('libreoffice.xls')).subarray(0, 300)),
    'The file is cut off or damaged.',
  ],
  ['XML that stops', () => workbookOf('<row><c><v>1</v>'), 'The file is cut off or damaged.'],
  [
    'XML that is not UTF-8',
    () =>
      fileOf(
        zip(
          workbookParts([{ name: 'List', xml: '' }]).map((part) =>
            part.name.includes('sheet1')
              ? { ...part, data: Buffer.from('<worksheet>\xe9\xff</worksheet>', 'latin1') }
              : part,
          ),
        ),
      ),
    'The file is cut off or damaged.',
  ],
  [
    'a shared string that is not there',
    () => workbookOf('<row><c t="s"><v>7</v></c></row>'),
    'The file is cut off or damaged.',
  ],
  [
    'an address beyond the last column',
    () => workbookOf('<row r="1"><c r="ZZZZ1"><v>7</v></c></row>'),
    'The file is cut off or damaged.',
  ],
  [
    'entities that multiply',
    () => entities('<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY x "&a;&a;&a;">]>', '&x;'),
    'The file holds XML declarations that a workbook never has; it is refused.',
  ],
  [
    'an entity that reads a file',
    () => entities('<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'),
    'The file holds XML declarations that a workbook never has; it is refused.',
  ],
  [
    'an entity without declaration',
    () => entities('', '&x;'),
    'The file holds XML declarations that a workbook never has; it is refused.',
  ],
  ['a workbook without sheets', () => fileOf(zip(workbookParts([]))), 'The workbook is empty.'],
  ['a blank sheet', () => workbookOf(''), 'The workbook is empty.'],
  [
    'headings and nothing below',
    () => workbook([headings]),
    'The sheet has headings, but no row below them.',
  ],
  [
    'another list',
    () =>
      workbook([
        ['Region', 'Cercle'],
        ['Kayes', 'Bafoulabé'],
      ]),
    'The headings of this list were not found in the first rows. Needed are: Receiver first name, Receiver last name, Receiver phone number, Student code.',
  ],
  [
    'headings that come too late',
    () => workbookOf(`<row r="12">${rowXml(headings).slice(5)}${rowXml(row)}`),
    'The headings of this list were not found in the first rows.',
  ],
  [
    'a missing heading',
    () => workbook([headings.toSpliced(3, 1), row]),
    'Headings are missing: Student code.',
  ],
  [
    'a doubled heading',
    () => workbook([[...headings, 'student_code'], row]),
    'Headings stand there more than once: Student code.',
  ],
  [
    '101 columns',
    () => workbook([[...headings, ...Array.from({ length: 96 }, (_, index) => `Note ${index}`)], row]),
    'The sheet has more than 100 columns.',
  ],
  [
    '5,001 parts',
    () => fileOf(zip(Array.from({ length: 5001 }, (_, index) => ({ name: `${index}`, data: '' })))),
    'The file holds more parts than a workbook has; it is refused.',
  ],
  [
    '200,001 rows',
    () => workbookOf(rowXml(headings) + rowXml(row).repeat(200_001)),
    'The sheet has more than 200,000 rows. Split it into several files.',
  ],
  ['a bomb of 4 GB', () => bomb(4_000_000_000), 'The file unpacks to more than 400 MB.'],
  ['a bomb that says it is small', () => bomb(800_000_000, 1_000_000), 'The file is cut off or damaged.'],
  ['a file over 20 MB', () => fileOf(Buffer.alloc(20 * 1024 * 1024 + 1)), 'The file is larger than 20 MB.'],
])('%s is refused with its sentence, in both languages', async (_, make, sentence) => {
  const path = make()
  const checked = await checkHeadings(path, list)
  const problem = 'problem' in checked ? checked.problem : JSON.stringify(checked)
  expect(say(problem, 'en')).toContain(sentence)
  expect(say(problem, 'fr')).not.toBe(say(problem, 'en'))
  await expect(readAll(path)).rejects.toMatchObject({ problem })
})
