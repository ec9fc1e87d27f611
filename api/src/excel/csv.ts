import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import type { Cell } from '@portal/contracts/imports/sheet'
import type { Grid, GridRow } from '@portal/excel/grid'
import { limits, WorkbookProblem } from '@portal/excel/limits'
import { textCell } from '@portal/excel/sheet-rows'
import { CsvError, parse } from 'csv-parse'

const batchRows = 500
/** Characters of one row. No agency writes longer ones, and a missing quotation mark would read the whole file. */
const longestRow = 100_000

/** Opens a text file of separated values as one sheet. Its rows are read as a stream each time they are asked for. */
export async function openCsv(path: string): Promise<Grid> {
  const encoding = (await isUtf8(path)) ? 'utf-8' : 'windows-1252'
  const delimiter = delimiterOf(await headOf(path, encoding))
  return {
    name: 'csv',
    mayHold: Number.POSITIVE_INFINITY,
    rows: (only) => rowsOf(path, encoding, delimiter, only),
  }
}

async function* rowsOf(
  path: string,
  encoding: string,
  delimiter: string,
  only?: ReadonlySet<number>,
): AsyncGenerator<GridRow[]> {
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
  })
  pipeline(Readable.from(texts(path, encoding)), parser, () => {})
  let batch: GridRow[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      const row = rowOf(record, info.lines, only)
      if (row) batch.push(row)
      if (batch.length < batchRows) continue
      yield batch
      batch = []
    }
  } catch (error) {
    if (error instanceof CsvError) throw new WorkbookProblem('csv_damaged')
    throw error
  } finally {
    parser.destroy()
  }
  yield batch
}

function rowOf(record: string[], row: number, only?: ReadonlySet<number>): GridRow | null {
  const cells: Cell[] = []
  let blank = true
  for (const [index, text] of record.entries()) {
    if (only ? !only.has(index) : index > limits.columns) continue
    const cell = textCell(text)
    if (cell === null) continue
    cells[index] = cell
    blank = false
  }
  return blank ? null : { row, cells }
}

async function* texts(path: string, encoding: string) {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of createReadStream(path)) yield decoder.decode(bytes as Buffer, { stream: true })
  yield decoder.decode()
}

/** Whether all bytes are UTF-8. Excel in French writes the old encoding of Windows otherwise. */
async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of createReadStream(path)) decoder.decode(bytes as Buffer, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

async function headOf(path: string, encoding: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16_384), 0, 16_384, 0)
    return new TextDecoder(encoding).decode(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/** The sign that most often separates values in the first rows, outside of quotation marks. */
function delimiterOf(head: string): string {
  const bare = head.replace(/"[^"]*"/g, '')
  const counted = [';', '\t', ',', '|'].map((sign) => ({ sign, count: bare.split(sign).length }))
  return counted.reduce((best, each) => (each.count > best.count ? each : best)).sign
}
