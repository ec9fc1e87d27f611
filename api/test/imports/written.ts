import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import exceljs from 'exceljs'
import { afterAll } from 'vitest'

/** A folder for the workbooks that a file of tests writes. It is deleted after its tests. */
export async function writtenFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'written-'))
  afterAll(() => rm(folder, { recursive: true }))
  return folder
}

/** The workbook as another program reads it. */
export async function opened(path: string): Promise<exceljs.Workbook> {
  const book = new exceljs.Workbook()
  await book.xlsx.readFile(path)
  return book
}

/** Rows that come one after the other, as from the database. */
export async function* listed<T>(rows: readonly T[]) {
  yield* rows
}
