import type { Echo, Instruction, Outcome } from './connectors/connector.ts'

/** What an answer said of itself that the order does not: for a person, with both values (Money 4.7). */
export type Mismatch = {
  kind: 'key' | 'reference' | 'amount' | 'currency' | 'recipient' | 'not_found'
  expected: string | null
  answered: string
}

/** An answer as it may be written: one that does not agree with its order counts as unknown. */
export type Checked = { outcome: Outcome; mismatch: Mismatch | null }

const longestId = 200

/**
 * Holds an answer against its order. Only what agrees in every part that the agency repeats, and what the database can
 * keep, says anything about the money.
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

/** Text that the database keeps: no control characters (it refuses NUL), no half surrogates, of a length to show. */
export function storable(text: string): string {
  return text
    .slice(0, longestId)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\u{fffd}')
}
