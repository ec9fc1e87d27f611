import { sql } from 'kysely'
import { notify } from '../home/notifications.service.ts'
import type { Tx } from '../kit/database/db.ts'
import { linkTo } from './import-domains.service.ts'
import type { Counts, TaskRow } from './import-kind.ts'
import { text } from './messages.ts'

/** Notifies the person who uploaded the file of the result of the import. `counts` is null if it failed. */
export async function notifyOfEnd(tx: Tx, task: TaskRow, counts: Counts | null): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select file_name as name from imports where id = ${task.id}`.execute(tx)
  const name = rows[0]?.name ?? ''
  const link = linkTo(task)
  if (!counts) return notify(tx, [task.user_id], text.tellFailed, [name], link)
  const kept = counts.new + counts.changed + counts.unchanged
  return notify(tx, [task.user_id], text.tellImported, [name, kept, counts.rejected], link)
}
