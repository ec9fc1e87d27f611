import type { Text } from '@portal/contracts/sentences'
import { couldNotConnect, databaseFault, nothingSaved, SilentDatabase } from '../database/db.ts'
import { StoreAway } from '../files/bucket-calls.ts'
import { say } from './messages.ts'
import { Refusal } from './refusals.ts'

/** What a 503 means to a program: which of these it is says whether the call may be repeated as it is. */
export type UnavailableCode = 'database_away' | 'database_busy' | 'outcome_unknown' | 'store_away'

/** Seconds after which a browser or a device calls again. */
const retryAfter = '5'

/** SQLSTATE of a statement that took too long, waited too long for a lock, or paused too long in its transaction. */
const busy = new Set(['57014', '55P03', '25P03'])
/** SQLSTATE of a connection that the server ended, of a read-only server, and of a failed connection. */
const ended = /^(57P01|57P02|25006|08...)$/

const broken = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED'])
// node-postgres has no codes for these.
const brokenWords =
  /^(Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|Postgres connection has been discarded)/

/**
 * Turns an error of the connection to the database, or to the store of files, into a 503, with the sentence for what may have been saved. Returns
 * undefined for other errors. Only errors themselves are looked at: the cause of a failed fetch is another server's.
 */
export function unavailable(error: unknown, method: string): Refusal | undefined {
  const reads = method === 'GET' || method === 'HEAD'
  // Files are kept before the transaction that refers to them begins.
  if (error instanceof StoreAway) return refusal('store_away', reads ? say.storeReading : say.storeWriting)
  const kind = kindOf(error)
  if (!kind) return undefined
  if (kind === 'busy') return refusal('database_busy', reads ? say.busyReading : say.busyWriting)
  const unsaved = kind === 'unreached' || nothingSaved(error)
  if (reads || unsaved) return refusal('database_away', reads ? say.awayReading : say.awayWriting)
  return refusal('outcome_unknown', say.outcomeUnknown)
}

function kindOf(error: unknown): 'busy' | 'unreached' | 'broken' | undefined {
  if (couldNotConnect(error)) return 'unreached'
  const sqlstate = databaseFault(error)?.code ?? ''
  if (busy.has(sqlstate)) return 'busy'
  if (ended.test(sqlstate)) return 'broken'
  if (sqlstate || !(error instanceof Error)) return undefined
  const { code = '' } = error as NodeJS.ErrnoException
  if (error instanceof SilentDatabase || broken.has(code) || brokenWords.test(error.message)) return 'broken'
  return undefined
}

const refusal = (code: UnavailableCode, text: Text) =>
  new Refusal(503, text, { code, headers: { 'retry-after': retryAfter } })
