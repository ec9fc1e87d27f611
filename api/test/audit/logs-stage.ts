import ExcelJS from 'exceljs'
import { expect } from 'vitest'
import { audit } from '../../src/kit/audit/audit.ts'
import { portal as system } from '../../src/kit/http/session.ts'
import type { Client } from '../client.ts'
import { type Portal, until } from '../portal.ts'

type Log = { id: number; event: string; user: { id: number } | null } & Record<string, unknown>

export const logs = async (client: Client, query = '') =>
  (await client.get(`/admin/users/audit/logs?${query}`)).body.logs as { data: Log[]; total: number }

/** Writes an entry about a student, as if the portal had changed her. Returns its id. */
export const changed = (
  { db }: Portal,
  id: number,
  values: Record<string, unknown>,
  old: Record<string, unknown> = {},
) => db.transaction().execute((tx) => audit(tx, system, 'updated', 'student', id, { old, new: values }))

/** The rows of an exported workbook. */
export async function exported(client: Client, body: object, locale = 'en'): Promise<unknown[][]> {
  const accepted = await client.post('/admin/users/audit/logs/export', body, { 'accept-language': locale })
  expect(accepted.status).toBe(202)
  const file = await until(async () => {
    const answer = await client.get(`/storage/exports/${accepted.body.file_name}`)
    return answer.status === 200 && answer.bytes
  })
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(file as unknown as ArrayBuffer)
  const rows: unknown[][] = []
  book.worksheets[0]?.eachRow((row) => rows.push((row.values as unknown[]).slice(1)))
  return rows
}
