import type { SyncMessage } from '@portal/contracts/attendance/messages'
import type { InferInput } from 'valibot'

/** A JSON object that is not validated. */
export type Json = Record<string, unknown>
/** A message before its envelope is checked. */
export type RawMessage = Partial<InferInput<typeof SyncMessage>>

/** Converts the messages of one system into native ones. A new system needs one such file. */
export type Adapter = {
  /** Whether the body comes from this system. */
  fits(body: Json): boolean
  /** The messages of the body. One without an id is refused, because repetitions could not be recognised. */
  messages(body: Json, received: string): RawMessage[]
}

/** Returns an object, or an empty one for any other value. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** Returns a trimmed text, or undefined if it is blank or no text. */
export const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' && value.trim()) || undefined

/**
 * Reads a time of a system. A time without a zone is UTC, the time of both countries. Returns `otherwise` if the value
 * cannot be read.
 */
export function momentOf(value: unknown, otherwise: string): string {
  const written = textOf(value)
  if (!written || !/^\d{4}-\d{2}-\d{2}/.test(written)) return otherwise
  const zoned = /T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(written) ? written : `${written.replace(' ', 'T')}Z`
  const at = new Date(/T/.test(zoned) ? zoned : `${written}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? otherwise : at.toISOString()
}
