import { storable } from './answer-check.ts'
import type { HeldPayment, Outcome } from './connectors/connector.ts'

/** The agency received it and has not decided. It may be sent again with the same key. */
const isOnlyReceived = ({ outcome }: HeldPayment) =>
  outcome.kind === 'unknown' && outcome.reason === 'received'

/**
 * The new payments in an answer by reference, without known refusals and without undecided ones. If the agency refused
 * the queried attempt and has others too, those were made later. Then the refusal is returned first, and the agency is
 * queried again.
 */
export function toldAnew(
  told: readonly HeldPayment[],
  { key, refused }: { key: string; refused: readonly string[] },
): { held: HeldPayment[]; again: boolean } {
  const fresh = told.filter(
    (each) =>
      !(each.outcome.kind === 'failed' && refused.includes(each.key)) &&
      !(each.key === key && isOnlyReceived(each)),
  )
  const refusal = fresh.find((each) => each.key === key && each.outcome.kind === 'failed')
  const again = refusal !== undefined && fresh.length > 1
  return { held: again ? [refusal] : fresh, again }
}

/** Payments to be recorded as reported, in the form of `note_told`. */
export function toldJson(payments: readonly HeldPayment[]): string {
  return JSON.stringify(storableRows(payments.filter((each) => !isOnlyReceived(each))))
}

/** Returns the outcome for several payments with one reference. One that may have moved money has precedence. */
export function strongest(held: readonly HeldPayment[]): Outcome {
  const order = ['success', 'processing', 'unknown', 'failed']
  const [first] = held
    .map(({ outcome }) => outcome)
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  return first ?? { kind: 'unknown', reason: 'answer_unreadable' }
}

/** Payments as rows that the database can store, whatever the agency's values are. */
export function storableRows(payments: readonly HeldPayment[]) {
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
