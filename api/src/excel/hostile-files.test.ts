import { readFileSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { readCell } from '@portal/contracts/imports/read-cell'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { studentsSheet } from '@portal/contracts/registers/students.sheet'
import { say } from '@portal/contracts/sentences'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { findSheet } from '@portal/excel/find-sheet'
import type { Grid, GridRow } from '@portal/excel/grid'
import { inspectSource } from '@portal/excel/inspect'
import { WorkbookProblem } from '@portal/excel/limits'
import { rowsBelow } from '@portal/excel/rows-below'
import { openXls } from '@portal/excel/xls'
import { openXlsx } from '@portal/excel/xlsx'
import { readZipDirectory } from '@portal/excel/zip'
import { beforeAll, expect, test } from 'vitest'
import { fixture } from '../../test/imports/broken-files.ts'
import { fileOf, pack, sheetXml, workbookParts, zip } from '../../test/imports/workbooks.ts'
import { damagedBytes, oneOf } from '../../test/mutations/bytes.ts'
import { slippedXml } from '../../test/mutations/xml.ts'
import { Random } from '../../test/random.ts'
import { fileSource, unpack } from './zip.ts'

/**
 * Workbooks of several programs, broken by chance. A failure names the seed; `RANDOM_SEED` and `RANDOM_RUNS` make others, and
 * more.
 */
const seed = Number(process.env.RANDOM_SEED ?? 20_261_130)
const runs = Number(process.env.RANDOM_RUNS ?? 1)
const times = (count: number) => Array.from({ length: count * runs }, (_, n) => n)

const list = targetListSheet('mobile_money')
const students = studentsSheet(true)
const path = fileOf('')
type Part = { name: string; data: Buffer }
type Read = { rows: GridRow[] } | { refused: string }

async function withGrids<Result>(bytes: Buffer, use: (grids: Grid[]) => Promise<Result>): Promise<Result> {
  await writeFile(path, bytes)
  const file = await open(path)
  try {
    const source = await fileSource(file)
    const inspected = await inspectSource(source)
    if (inspected.kind === 'xls') return await use(openXls(await source.read(0, source.size)))
    return await use(await openXlsx(source, inspected.entries, unpack))
  } finally {
    await file.close()
  }
}

/** The rows of a list, or the sentence with which its file is refused. Any other error is a fault. */
async function readList(bytes: Buffer, sheet: Sheet): Promise<Read> {
  try {
    return await withGrids(bytes, async (grids) => {
      const { grid, found } = await findSheet(grids, sheet)
      const rows: GridRow[] = []
      for await (const batch of rowsBelow(grid, found)) rows.push(...batch)
      return { rows }
    })
  } catch (error) {
    if (error instanceof WorkbookProblem) return { refused: error.problem }
    throw error
  }
}

/** The parts of a workbook, unpacked. */
async function partsOf(name: string): Promise<Part[]> {
  const file = await open(fixture(name))
  const source = await fileSource(file)
  const parts: Part[] = []
  for (const entry of await readZipDirectory(source)) {
    const pieces: Buffer[] = []
    for await (const piece of unpack(source, entry)) pieces.push(piece)
    parts.push({ name: entry.name, data: Buffer.concat(pieces) })
  }
  await file.close()
  return parts
}

/** What is wrong with what was read: rows that cannot be staged, cells that cannot be checked or stored, refusals without a sentence. */
function faultsOf(read: Read, sheet: Sheet): string[] {
  if ('refused' in read) {
    const words = [say(read.refused, 'en'), say(read.refused, 'fr')]
    const isSentence = (text: string) => / .+\./.test(text) && !/\{\d|undefined|NaN/.test(text)
    return words.every(isSentence) && words[0] !== words[1] ? [] : [`no sentence: ${words}`]
  }
  const numbers = read.rows.map(({ row }) => row)
  const areRows =
    numbers.every((row) => row >= 1 && row <= 1_048_576) && new Set(numbers).size === numbers.length
  const texts = read.rows.flatMap(({ cells }) =>
    Object.values(sheet.columns).flatMap((column) =>
      Array.from(cells, (cell) => {
        const checked = readCell(column, cell)
        return 'value' in checked ? (checked.value ?? '') : say(checked.problem, 'fr')
      }),
    ),
  )
  const unstorable = texts.find((text) => text.includes('\0') || !text.isWellFormed())
  return [
    ...(areRows ? [] : [`rows ${numbers.slice(0, 20)}`]),
    ...(unstorable === undefined ? [] : [`cannot be stored: ${JSON.stringify(unstorable).slice(0, 200)}`]),
  ]
}

/** Reads a file and returns what is wrong with that, within a time that nobody notices. */
async function judged(bytes: Buffer, sheet: Sheet): Promise<{ read: Read | null; faults: string[] }> {
  const began = performance.now()
  try {
    const read = await readList(bytes, sheet)
    const faults = faultsOf(read, sheet)
    if (performance.now() - began > 5_000) faults.push(`took ${performance.now() - began} ms`)
    return { read, faults }
  } catch (error) {
    return { read: null, faults: [String((error as Error).stack)] }
  }
}

const books: [string, Sheet][] = [
  ['libreoffice.xlsx', list],
  ['students.xlsx', students],
  ['merged.xlsx', list],
  ['formulas.xlsx', list],
]
const whole = new Map<string, Part[]>()
beforeAll(async () => {
  for (const [name] of books) whole.set(name, await partsOf(name))
})

test(
  'an officer’s workbook with damaged bytes is refused, or read as it was written',
  async () => {
    const faults: string[] = []
    for (const n of times(120)) {
      const random = new Random(seed + n)
      const [name, sheet] = oneOf(random, books)
      const good = readFileSync(fixture(name))
      const { what, bytes } = damagedBytes(random, good)
      const { read, faults: found } = await judged(bytes, sheet)
      if (read && 'rows' in read)
        expect.soft(read, `${name} ${seed + n} ${what}`).toEqual(await readList(good, sheet))
      faults.push(...found.map((fault) => `${name} ${seed + n} ${what}: ${fault}`))
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

test(
  'an officer’s workbook of the old format with damaged bytes is refused, or its rows can be checked',
  async () => {
    const faults: string[] = []
    for (const n of times(40)) {
      const random = new Random(seed + n)
      const [name, sheet] = oneOf(random, [...books, ['hidden.xls', list] as [string, Sheet]])
      const { what, bytes } = damagedBytes(random, readFileSync(fixture(name.replace('.xlsx', '.xls'))))
      const { faults: found } = await judged(bytes, sheet)
      faults.push(...found.map((fault) => `${name} ${seed + n} ${what}: ${fault}`))
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

test(
  'an officer’s workbook with a part that a program wrote badly is refused, or its rows can be checked',
  async () => {
    const faults: string[] = []
    for (const n of times(120)) {
      const random = new Random(seed + n)
      const [name, sheet] = oneOf(random, books)
      const parts = whole.get(name) ?? []
      const at = oneOf(
        random,
        parts.flatMap((part, index) =>
          /sheet\d|shared|styles|workbook|rels/.test(part.name) ? [index] : [],
        ),
      )
      const { what, bytes } = slippedXml(random, parts[at]?.data.toString() ?? '')
      const made = zip(parts.map((part, index) => pack(index === at ? { ...part, data: bytes } : part)))
      const { faults: found } = await judged(made, sheet)
      faults.push(...found.map((fault) => `${name} ${seed + n} ${parts[at]?.name} ${what}: ${fault}`))
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

const headings = ['Prénom', 'Nom', 'Téléphone', 'Code élève', 'Montant']
const cellsOf = (row: number) => [
  ...['Prénom', `Diarra ${row}`, `+2237612345${row % 10}`, `ML-${row}`].map(
    (text, at) => `<c r="${'ABCD'[at]}${row}" t="inlineStr"><is><t>${text}</t></is></c>`,
  ),
  `<c r="E${row}"><v>${10_000 + row}</v></c>`,
]
const title = headings.map((text, at) => `<c r="${'ABCDE'[at]}1" t="inlineStr"><is><t>${text}</t></is></c>`)

test(
  'no amount of a list changes if a program writes another cell badly',
  async () => {
    const faults: string[] = []
    for (const n of times(120)) {
      const random = new Random(seed + n)
      const rows = [2, 3, 4, 5].map(cellsOf)
      const row = oneOf(random, rows)
      const at = random.between(0, 3)
      const { what, bytes } = slippedXml(random, row[at] ?? '')
      row[at] = bytes.toString()
      const xml = sheetXml(
        [title, ...rows].map((cells, n) => `<row r="${n + 1}">${cells.join('')}</row>`).join(''),
      )
      const { read, faults: found } = await judged(zip(workbookParts([{ name: 'List', xml }])), list)
      const amounts = read && 'rows' in read ? read.rows.map((each) => [each.row, each.cells[4]]) : null
      if (amounts && JSON.stringify(amounts) !== JSON.stringify([2, 3, 4, 5].map((r) => [r, 10_000 + r])))
        found.push(`amounts ${JSON.stringify(amounts)} of ${row[at]?.slice(0, 300)}`)
      faults.push(...found.map((fault) => `${seed + n} ${what}: ${fault}`))
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

const lines = [title, cellsOf(2), cellsOf(3)]
const rowsOf = (change: (rows: string[]) => string[]) =>
  change(lines.map((cells, n) => `<row r="${n + 1}">${cells.join('')}</row>`)).join('')
const bookOf = (rows: string, others: Parameters<typeof workbookParts>[1] = {}) =>
  workbookParts([{ name: 'List', xml: sheetXml(rows) }], others)
const without = (name: string, parts: ReturnType<typeof workbookParts>) =>
  parts.filter((part) => part.name !== name)
const inRow3 = (from: string, to: string) => rowsOf(([a = '', b = '', c = '']) => [a, b, c.replace(from, to)])

test.each<[string, ReturnType<typeof workbookParts>]>([
  [
    'two rows of one number',
    bookOf(rowsOf(([a = '', b = '', c = '']) => [a, b, c.replace('r="3"', 'r="2"')])),
  ],
  ['a row below the last of a sheet', bookOf(inRow3('r="3"', 'r="1048577"'))],
  ['two cells of one address', bookOf(inRow3('<c r="E3">', '<c r="E3"><v>1</v></c><c r="E3">'))],
  ['two values in one cell', bookOf(inRow3('<v>', '<v>1</v><v>'))],
  ['a cell in a cell', bookOf(inRow3('<is>', '<c r="E3"><v>7</v></c><is>'))],
  ['a tag that another closes', bookOf(inRow3('</v></c>', '</c></v>'))],
  [
    'a text of number one and a half',
    bookOf(inRow3('<c r="E3"><v>10003', '<c r="E3" t="s"><v>1.5'), {
      strings: '<sst><si><t>1</t></si><si><t>2</t></si></sst>',
    }),
  ],
  [
    'a second list without its sheet',
    without(
      'xl/worksheets/sheet1.xml',
      workbookParts([
        { name: 'New', xml: '' },
        { name: 'Old', xml: sheetXml(rowsOf((rows) => rows)) },
      ]),
    ),
  ],
  [
    'no styles, so that no day is one',
    without(
      'xl/styles.xml',
      bookOf(
        rowsOf((rows) => rows),
        { styles: '<styleSheet/>' },
      ),
    ),
  ],
])('an officer whose workbook has %s reads that it is damaged', async (_, parts) => {
  const read = await readList(zip(parts), list)
  expect('refused' in read ? say(read.refused, 'en') : read.rows).toEqual(
    'The file is cut off or damaged. Open it in Excel, save it again and choose it once more.',
  )
})
