import { say } from './messages.ts'
import { conflict } from './refusals.ts'

/** The optimistic lock: the version of the row that the caller has read. It is optional. */
export type SentVersion = number | null | undefined

/** Throws 409 if the row has another version than the one that was sent. */
export function expectVersion(stored: number, sent: SentVersion): void {
  if (typeof sent === 'number' && sent !== stored) throw conflict(say.changedMeanwhile)
}

/** The mark that the audit row of a change carries where the caller named no version: nobody knows what was overwritten. */
export const versionMark = (sent: SentVersion): { without_version?: true } =>
  typeof sent === 'number' ? {} : { without_version: true }
