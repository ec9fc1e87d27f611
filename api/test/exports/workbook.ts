import { Workbook, type Worksheet } from 'exceljs'
import { expect } from 'vitest'
import type { Client } from '../client.ts'
import { until } from '../portal.ts'

type Person = Pick<Client, 'get' | 'post'>
type File = { address: string; bytes: Buffer }

/** Waits for the file of an export that a person has asked for. */
export async function readyFile(person: Person, fileName: string): Promise<File> {
  const address = `/storage/exports/${fileName}`
  const { bytes } = await until(async () => {
    const answer = await person.get(address)
    return answer.status === 200 && answer
  })
  return { address, bytes }
}

/** Asks for an export and waits for its file. */
export async function exported(
  person: Person,
  path: string,
  filters: object = {},
  language?: string,
): Promise<File> {
  const asked = await person.post(path, filters, language ? { 'accept-language': language } : {})
  expect(asked.status, JSON.stringify(asked.body)).toBe(202)
  return readyFile(person, asked.body.file_name)
}

export async function bookOf({ bytes }: { bytes: Buffer }): Promise<Workbook> {
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(bytes).buffer)
  return book
}

/** The first sheet of a file. */
export async function sheetOf(file: { bytes: Buffer }): Promise<Worksheet> {
  const [sheet] = (await bookOf(file)).worksheets
  if (!sheet) throw new Error('the workbook has no sheet')
  return sheet
}

/** The rows of the first sheet of a file, by the headings of their columns. */
export async function recordsOf(file: { bytes: Buffer }): Promise<Record<string, unknown>[]> {
  const sheet = await sheetOf(file)
  const [headings = [], ...rows] = (sheet.getRows(1, sheet.rowCount) ?? []).map(
    (row) => row.values as unknown[],
  )
  return rows.map((row) =>
    Object.fromEntries(
      [...headings].flatMap((heading, at) => (heading ? [[String(heading), row[at] ?? null]] : [])),
    ),
  )
}
