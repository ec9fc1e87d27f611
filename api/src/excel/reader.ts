/** Reads one workbook in its own thread (.xlsx) or process (.xls) and sends rows on request. */
import { open } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import type { Cell, Sheet } from '@portal/contracts/imports/sheet'
import { type FoundSheet, findSheet } from '@portal/excel/find-sheet'
import type { Grid } from '@portal/excel/grid'
import { inspectSource } from '@portal/excel/inspect'
import { limits, WorkbookProblem } from '@portal/excel/limits'
import { rowsBelow } from '@portal/excel/rows-below'
import { openXlsx } from '@portal/excel/xlsx'
import { type LookedAt, lookAt } from './look.ts'
import { fileSource, unpack } from './zip.ts'

/** Messages to the reader: first the task, then `next` for each batch. */
export type ToReader = { task: 'check' | 'look' | 'rows'; path: string; sheet: Sheet } | 'next'
/**
 * Messages from the reader. Cells are one flat array, one per column of the sheet and row, because that is the fastest
 * to pass between threads.
 */
export type FromReader =
  | { found: FoundSheet }
  | { looked: LookedAt }
  | { rows: number[]; cells: Cell[] }
  | { end: true }
  | { problem: string }

const batchRows = 500

const send = (message: FromReader) => (parentPort ? parentPort.postMessage(message) : process.send?.(message))
const port = parentPort ?? process
let wanted = 0
let wake: (() => void) | undefined
port.on('message', (message: ToReader) => {
  if (message !== 'next') {
    void run(message)
    return
  }
  wanted++
  wake?.()
})

async function run({ task, path, sheet }: Exclude<ToReader, 'next'>) {
  try {
    send(await withGrids(path, (grids) => tasks[task](grids, sheet)))
  } catch (error) {
    if (!(error instanceof WorkbookProblem)) throw error
    send({ problem: error.problem })
  }
}

const tasks = {
  check,
  look: async (grids: Grid[], sheet: Sheet): Promise<FromReader> => ({ looked: await lookAt(grids, sheet) }),
  rows: readAll,
}

async function check(grids: Grid[], sheet: Sheet): Promise<FromReader> {
  const { grid, found } = await findSheet(grids, sheet)
  // Rows are counted only if the file is large enough to contain too many.
  if (grid.mayHold > limits.rows) for await (const _ of rowsBelow(grid, found));
  return { found }
}

async function readAll(grids: Grid[], sheet: Sheet): Promise<FromReader> {
  const { grid, found } = await findSheet(grids, sheet)
  await sendRows(grid, found, sheet)
  return { end: true }
}

async function withGrids<Result>(path: string, use: (grids: Grid[]) => Promise<Result>): Promise<Result> {
  const file = await open(path)
  try {
    const source = await fileSource(file)
    const inspected = await inspectSource(source)
    if (inspected.kind === 'xlsx') return await use(await openXlsx(source, inspected.entries, unpack))
    // The library for .xls has a megabyte, so it is loaded only if it is needed.
    const { openXls } = await import('@portal/excel/xls')
    return await use(openXls(await source.read(0, source.size)))
  } finally {
    await file.close()
  }
}

async function sendRows(grid: Grid, found: FoundSheet, sheet: Sheet) {
  const columns = Object.keys(sheet.columns).map((key) => found.columns[key])
  let rows: number[] = []
  let cells: Cell[] = []
  const flush = async () => {
    while (wanted === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    wanted--
    send({ rows, cells })
    rows = []
    cells = []
  }
  for await (const list of rowsBelow(grid, found)) {
    for (const row of list) {
      rows.push(row.row)
      for (const index of columns) cells.push((index === undefined ? null : row.cells[index]) ?? null)
      if (rows.length === batchRows) await flush()
    }
  }
  if (rows.length > 0) await flush()
}
