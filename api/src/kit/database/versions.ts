import { say } from '../http/messages.ts'
import { conflict } from '../http/refusals.ts'

/** The optimistic lock: the version of the row that the caller has read. A call may omit it. */
export type SentVersion = number | null | undefined

/** Throws 409 if the caller sent another version than the row has now. */
export function expectVersion(stored: number, sent: SentVersion): void {
  if (typeof sent === 'number' && sent !== stored) throw conflict(say.changedMeanwhile)
}

/**
 * Marks the audit row of a change whose caller sent no version, because it may have overwritten a concurrent change.
 */
export const versionMark = (sent: SentVersion): { without_version?: true } =>
  typeof sent === 'number' ? {} : { without_version: true }
