import { databaseFault } from '../database/db.ts'
import { say } from '../http/messages.ts'
import { Refusal } from '../http/refusals.ts'

/** `disk_full` of PostgreSQL, and the codes of the system for a full disk, which a full store has, too, and a used-up quota. */
const full = new Set(['53100', 'ENOSPC', 'EDQUOT'])

/**
 * Turns a full disk, of the files or of the database, into a 507. Returns undefined for other errors. Nothing was saved:
 * files are written before the transaction that refers to them, and a failed statement rolls its transaction back.
 */
export function fullDisk(error: unknown): Refusal | undefined {
  const code =
    databaseFault(error)?.code ?? (error instanceof Error && 'code' in error ? error.code : undefined)
  return typeof code === 'string' && full.has(code)
    ? new Refusal(507, say.noSpace, { code: 'storage_full' })
    : undefined
}
