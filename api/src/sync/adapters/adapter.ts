import type { SyncMessage } from '@portal/contracts/messages'
import type { InferInput } from 'valibot'

/** A JSON object as it came. */
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

/** An object, or an empty one where there is none. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** A text that is not blank. */
export const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' && value.trim()) || undefined

/**
 * Reads a time of a system. Without a time zone it is UTC, the time of both countries. Returns `otherwise` if it cannot be
 * read.
 */
export function momentOf(value: unknown, otherwise: string): string {
  const written = textOf(value)
  if (!written || !/^\d{4}-\d{2}-\d{2}/.test(written)) return otherwise
  const zoned = /T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(written) ? written : `${written.replace(' ', 'T')}Z`
  const at = new Date(/T/.test(zoned) ? zoned : `${written}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? otherwise : at.toISOString()
}
