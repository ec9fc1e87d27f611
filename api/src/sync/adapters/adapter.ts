import type { SyncMessage } from '@portal/contracts/messages'
import type { InferInput } from 'valibot'

/** A JSON object as it came. */
export type Json = Record<string, unknown>
/** A message before its envelope is checked. */
export type RawMessage = Partial<InferInput<typeof SyncMessage>>

/** Turns what one system sends into native messages; a new system is one file like this. */
export type Adapter = {
  /** Is the body of this system's shape? */
  fits(body: Json): boolean
  /** Its messages; one without an id cannot be told from its repetition, and is refused. */
  messages(body: Json, received: string): RawMessage[]
}

/** An object, or an empty one where there is none. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** A text that is not blank. */
export const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' && value.trim()) || undefined

/**
 * The moment a system writes, often without a time zone (then it is UTC, which is the countries' own); `otherwise` where
 * it writes none that can be read.
 */
export function momentOf(value: unknown, otherwise: string): string {
  const written = textOf(value)
  if (!written || !/^\d{4}-\d{2}-\d{2}/.test(written)) return otherwise
  const zoned = /T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(written) ? written : `${written.replace(' ', 'T')}Z`
  const at = new Date(/T/.test(zoned) ? zoned : `${written}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? otherwise : at.toISOString()
}
