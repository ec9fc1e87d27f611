import { storable } from './answer-check.ts'
import type { AgencyPayment, Outcome } from './connector.ts'

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

/** Returns the outcome for several payments with one reference. One that may have moved money has precedence. */
export function strongest(payments: readonly AgencyPayment[]): Outcome {
  const order = ['success', 'processing', 'unknown', 'failed']
  const [first] = payments
    .map(({ outcome }) => outcome)
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  return first ?? { kind: 'unknown', reason: 'answer_unreadable' }
}

/**
 * Returns the outcome of an order that is queried by reference, because its agency repeats no keys. A refusal may be that
 * of an earlier attempt. Then the order counts as not found: it is sent again with its key, and the agency says for
 * certain what became of it.
 */
export function outcomeOf(
  { n }: { n: number },
  payments: readonly AgencyPayment[],
): Outcome | { kind: 'not_found' } {
  const outcome = strongest(payments)
  return outcome.kind === 'failed' && n > 1 ? { kind: 'not_found' } : outcome
}

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
    at: at !== null && !Number.isNaN(Date.parse(at)) ? new Date(at).toISOString() : null,
  }))
}
