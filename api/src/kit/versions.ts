import { say } from './messages.ts'
import { conflict } from './refusals.ts'

/** What a caller sends back of the row as it was read; absent where the caller names none. */
export type SentVersion = number | null | undefined

/** 409 where the row is another one by now than the one that was sent back. */
export function expectVersion(stored: number, sent: SentVersion): void {
  if (typeof sent === 'number' && sent !== stored) throw conflict(say.changedMeanwhile)
}

/** The mark that the audit row of a change carries where the caller named no version: nobody knows what was overwritten. */
export const versionMark = (sent: SentVersion): { without_version?: true } =>
  typeof sent === 'number' ? {} : { without_version: true }
