import { exported, recordsOf } from '../../exports/workbook.ts'
import { type Entry, ids, startRetries } from './retries.ts'

export const path = '/admin/transfers/arrears/write-off'

export const reason = 'The family moved away and cannot be reached'

/** A portal for tests of payments that are written off. */
export async function startWriteOffs() {
  const stage = await startRetries()
  const { portal, approver } = stage
  const writeOff = (entries: readonly Entry[], who = approver) =>
    who.post(path, { payroll_ids: ids(entries), reason })
  /** The database role of the api and the worker. */
  const app = portal.db.pool
  async function roundOf(cohortId: number): Promise<number> {
    const { rows } = await portal.owner.query(
      'select id::int from transfer_payroll_groups where cohort_id = $1',
      [cohortId],
    )
    return rows[0].id
  }
  /** The values below a heading of an exported list. */
  async function columnOf(list: string, body: object, heading: string, language = 'en'): Promise<unknown[]> {
    const file = await exported(approver, `/admin/transfers/${list}`, body, language)
    return (await recordsOf(file)).map((line) => line[heading])
  }
  return { ...stage, writeOff, app, roundOf, columnOf }
}
