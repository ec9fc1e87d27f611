import { storable } from './answer-check.ts'
import type { HeldPayment, Outcome } from './connectors/connector.ts'

/** It came in and was neither carried out nor refused: it may be sent again, with the key that it came with. */
const isOnlyReceived = ({ outcome }: HeldPayment) =>
  outcome.kind === 'unknown' && outcome.reason === 'received'

/**
 * What is new in an answer by reference: neither refusals that are known here, nor what only came in. Where the agency
 * refused the attempt that is asked about and holds others too, those were made after it: the refusal comes first, and
 * the agency is asked again.
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

/** Payments to be noted as told, as `note_told` takes them. */
export function toldJson(payments: readonly HeldPayment[]): string {
  return JSON.stringify(storableRows(payments.filter((each) => !isOnlyReceived(each))))
}

/** Where an agency holds several under one reference, what may have moved money counts. */
export function strongest(held: readonly HeldPayment[]): Outcome {
  const order = ['success', 'processing', 'unknown', 'failed']
  const [first] = held
    .map(({ outcome }) => outcome)
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  return first ?? { kind: 'unknown', reason: 'answer_unreadable' }
}

/** Payments as rows that the database can keep, whatever an agency wrote into them. */
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
