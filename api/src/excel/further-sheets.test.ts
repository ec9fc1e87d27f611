import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { inspectSource } from '@portal/excel/inspect'
import { openXlsx } from '@portal/excel/xlsx'
import { expect, test } from 'vitest'
import { opened, writtenFolder } from '../../test/imports/written.ts'
import { writeWorkbook } from './write.ts'
import { fileSource, unpack } from './zip.ts'

const folder = await writtenFolder()

test('a list of more rows than a sheet of Excel has goes on in a second sheet', async () => {
  const path = join(folder, 'full.xlsx')
  const written = await writeWorkbook(path, {
    name: 'Journal',
    columns: [{ key: 'n', header: 'N', kind: 'whole' }],
    rows: Array.from({ length: 1_048_575 }, () => [1]),
    totals: () => [1_048_575],
  })
  expect(written).toBe(1_048_575)
  const file = await open(path)
  const source = await fileSource(file)
  const inspected = await inspectSource(source)
  const grids = inspected.kind === 'xlsx' ? await openXlsx(source, inspected.entries, unpack) : []
  const lastRows: Record<string, number> = {}
  for (const { name, rows } of grids)
    for await (const batch of rows()) lastRows[name] = batch.at(-1)?.row ?? 0
  await file.close()
  // The second one has its heading, a row and the totals.
  expect(lastRows).toEqual({ Journal: 1_048_575, 'Journal (2)': 3 })
}, 60_000)

test('rows that one sheet cannot hold go on in further sheets, with the headings of the first and the totals at the end', async () => {
  const path = join(folder, 'sheets.xlsx')
  const reported: number[] = []
  const rows = Array.from({ length: 7 }, (_, n) => [`Girl ${n + 1}`, n + 1])
  const written = (count: number) =>
    writeWorkbook(
      path,
      {
        name: 'Students of the whole country, all of them',
        columns: [
          { key: 'name', header: 'Name', kind: 'text' },
          { key: 'n', header: 'N', kind: 'whole' },
        ],
        rows: rows.slice(0, count),
        onProgress: (done) => void reported.push(done),
        totals: () => ['Total', 28],
      },
      3,
    )
  expect(await written(7)).toBe(7)
  expect(reported).toEqual([7])
  const tabs = (await opened(path)).worksheets
  expect(tabs.map(({ name }) => name)).toEqual([
    'Students of the whole country,',
    'Students of the whole count (2)',
    'Students of the whole count (3)',
  ])
  const texts = tabs.map((tab) => tab.getColumn(1).values.slice(1))
  expect(texts).toEqual([
    ['Name', 'Girl 1', 'Girl 2', 'Girl 3'],
    ['Name', 'Girl 4', 'Girl 5', 'Girl 6'],
    ['Name', 'Girl 7', 'Total'],
  ])
  // A sheet that is just full is not followed by an empty one.
  expect(await written(6)).toBe(6)
  expect((await opened(path)).worksheets.map((tab) => tab.rowCount)).toEqual([4, 5])
  expect(await written(0)).toBe(0)
  expect((await opened(path)).worksheets.map((tab) => tab.rowCount)).toEqual([2])
})

test('rows that fail in the second sheet leave no file, and what they are read from is ended', async () => {
  const path = join(folder, 'broken-later.xlsx')
  let isEnded = false
  async function* rows() {
    try {
      yield ['Awa']
      yield ['Oumou']
      throw new Error('The database is gone')
    } finally {
      isEnded = true
    }
  }
  const columns = [{ key: 'name', header: 'Name', kind: 'text' as const }]
  await expect(writeWorkbook(path, { name: 'Students', columns, rows: rows() }, 1)).rejects.toThrow('is gone')
  expect(isEnded).toBe(true)
  expect(existsSync(path)).toBe(false)
  expect(existsSync(`${path}.part`)).toBe(false)
})
