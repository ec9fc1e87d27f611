import { audit } from '../../src/kit/audit/audit.ts'
import { portal as system } from '../../src/kit/http/session.ts'
import type { Client } from '../client.ts'
import { exported as fileOf, sheetOf } from '../exports/workbook.ts'
import type { Portal } from '../portal.ts'

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
  const sheet = await sheetOf(await fileOf(client, '/admin/users/audit/logs/export', body, locale))
  const rows: unknown[][] = []
  sheet.eachRow((row) => rows.push((row.values as unknown[]).slice(1)))
  return rows
}
