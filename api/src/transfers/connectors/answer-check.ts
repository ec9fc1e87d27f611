import type { Echo, Instruction, Outcome } from './connector.ts'

/** A difference between an answer and its order, with both values, for a person to read (Money 4.7). */
export type Mismatch = {
  kind: 'key' | 'reference' | 'amount' | 'currency' | 'recipient' | 'not_found' | 'several'
  expected: string | null
  answered: string
}

/** The outcome to write. An answer that differs from its order counts as unknown. */
export type Checked = { outcome: Outcome; mismatch: Mismatch | null }
/** What a query of an order found out. */
export type CheckedQuery = Checked | { outcome: { kind: 'not_found' }; mismatch: null }

const longestId = 200

/**
 * Compares an answer with its order. It only counts if every part that the agency repeats agrees, and if the database
 * can store it.
 */
export function checkAnswer(order: Instruction, outcome: Outcome): Checked {
  if (outcome.kind !== 'success' && outcome.kind !== 'failed' && outcome.kind !== 'processing')
    return { outcome, mismatch: null }
  const mismatch = findMismatch(order, outcome.echo)
  if (mismatch) return { outcome: { kind: 'unknown', reason: `${mismatch.kind}_differs` }, mismatch }
  const unreadable = findUnreadable(outcome)
  if (unreadable) return { outcome: { kind: 'unknown', reason: unreadable }, mismatch: null }
  return {
    outcome: outcome.kind === 'failed' ? { ...outcome, reason: storable(outcome.reason) } : outcome,
    mismatch: null,
  }
}

function findMismatch(order: Instruction, echo: Echo): Mismatch | null {
  const parts = [
    ['key', order.key, echo.key],
    ['reference', order.reference, echo.reference],
    ['amount', order.amount, echo.amount],
    ['currency', 'XOF', echo.currency],
    ['recipient', order.phone ?? order.account, echo.recipient],
  ] as const
  for (const [kind, expected, answered] of parts)
    if (answered !== undefined && answered !== expected)
      return { kind, expected: String(expected), answered: storable(String(answered ?? 'nothing')) }
  return null
}

function findUnreadable(outcome: Outcome): string | null {
  if (outcome.kind !== 'success' && outcome.kind !== 'failed') return null
  const id = outcome.external_trx_id
  if (id !== null && (id === '' || id.length > longestId || storable(id) !== id)) return 'id_unreadable'
  if (outcome.kind !== 'success' || outcome.agency_fees === null) return null
  return Number.isSafeInteger(outcome.agency_fees) && outcome.agency_fees >= 0 ? null : 'fee_unreadable'
}

/**
 * Makes a text storable. It cuts the text to `longestId` characters and replaces control characters (PostgreSQL refuses
 * NUL) and lone surrogates.
 */
export function storable(text: string): string {
  return text
    .slice(0, longestId)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\u{fffd}')
}
