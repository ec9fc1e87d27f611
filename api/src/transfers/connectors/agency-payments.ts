import { type Checked, type CheckedQuery, checkAnswer, storable } from './answer-check.ts'
import type { AgencyPayment, Instruction } from './connector.ts'

/** The agency received it and has not decided. It may be sent again with the same key. */
const isOnlyReceived = ({ outcome }: AgencyPayment) =>
  outcome.kind === 'unknown' && outcome.reason === 'received'

/**
 * The new payments in an answer by reference, without known refusals and without undecided ones. If the agency refused
 * the queried attempt and has others too, those were made later. Then the refusal is returned first, and the agency is
 * queried again.
 */
export function newPayments(
  reported: readonly AgencyPayment[],
  { key, refused }: { key: string; refused: readonly string[] },
): { payments: AgencyPayment[]; again: boolean } {
  const fresh = reported.filter(
    (each) =>
      !(each.outcome.kind === 'failed' && refused.includes(each.key)) &&
      !(each.key === key && isOnlyReceived(each)),
  )
  const refusal = fresh.find((each) => each.key === key && each.outcome.kind === 'failed')
  const again = refusal !== undefined && fresh.length > 1
  return { payments: again ? [refusal] : fresh, again }
}

/** Payments to be recorded as reported, in the form of `note_reported`. */
export function reportedJson(payments: readonly AgencyPayment[]): string {
  return JSON.stringify(storableRows(payments.filter((each) => !isOnlyReceived(each))))
}

const strength = ['success', 'processing', 'unknown', 'failed']

/** Payments with one reference, those that may have moved money first. */
export const byStrength = (payments: readonly AgencyPayment[]) =>
  payments.toSorted((a, b) => strength.indexOf(a.outcome.kind) - strength.indexOf(b.outcome.kind))

/**
 * Compares the payments that the agency has with one reference with the order. One that may have moved money has
 * precedence. If several may have, the family may be paid twice: the outcome counts all the same, and the others are a
 * mismatch.
 */
export function checkPayments(order: Instruction, payments: readonly AgencyPayment[]): Checked {
  const [first, ...others] = byStrength(payments)
  if (!first) return { outcome: { kind: 'unknown', reason: 'answer_unreadable' }, mismatch: null }
  const checked = checkAnswer(order, first.outcome)
  const moved = others.filter(({ outcome }) => outcome.kind !== 'failed').map(nameOf)
  if (checked.mismatch || moved.length === 0) return checked
  const answered = storable(moved.toSorted().join(', '))
  return { ...checked, mismatch: { kind: 'several', expected: storable(nameOf(first)), answered } }
}

const nameOf = ({ external_trx_id, key }: AgencyPayment) => external_trx_id ?? key

/**
 * Returns the outcome of an order that is queried by reference, because its agency repeats no keys. A refusal may be that
 * of an earlier attempt. Then the order counts as not found: it is sent again with its key, and the agency says for
 * certain what became of it.
 */
export function outcomeOf(
  order: Instruction & { n: number },
  payments: readonly AgencyPayment[],
): CheckedQuery {
  const checked = checkPayments(order, payments)
  return checked.outcome.kind === 'failed' && order.n > 1 ? notFound : checked
}

/** The agency has no payment of the order. */
export const notFound: CheckedQuery = { outcome: { kind: 'not_found' }, mismatch: null }

/** Payments as rows that the database can store, whatever the agency's values are. */
export function storableRows(payments: readonly AgencyPayment[]) {
  const kept = (text: string | null) => text && storable(text)
  return payments.map(({ key, reference, external_trx_id, phone, amount, state, at, outcome }) => ({
    key: storable(key),
    reference: kept(reference),
    external_trx_id: kept(external_trx_id),
    phone: kept(phone),
    amount,
    state: storable(state),
    paid: outcome.kind === 'success',
    refused: outcome.kind === 'failed',
    at: instantOf(at),
  }))
}

/** A time of the years 1 to 9999 in ISO. PostgreSQL reads no others in this form. */
function instantOf(text: string | null): string | null {
  const at = new Date(text ?? Number.NaN)
  const iso = Number.isNaN(at.getTime()) ? '' : at.toISOString()
  return /^\d{4}-/.test(iso) && iso >= '0001' ? iso : null
}
