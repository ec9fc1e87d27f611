import type { Text } from '@portal/contracts/sentences'
import type { ListStatus, ShownStatus } from '@portal/contracts/transfers/cohorts'
import { type RawBuilder, sql } from 'kysely'

/** SQL: where payment `payment` is shown to stand. A failed one that was withheld or written off has its own word (Money 3.10). */
export const shownStatus = (
  payment: RawBuilder<unknown>,
) => sql`case when ${payment}.written_off_at is not null then 'written_off'
  when ${payment}.withheld_at is not null then 'withheld' else ${payment}.status end`

/** SQL: whether payment `e` is shown with this status. The stored one stands beside it, because an index has it. */
export function isShownAs(status: ShownStatus) {
  const stored = status === 'withheld' || status === 'written_off' ? 'failed' : status
  return sql`e.status = ${stored} and ${shownStatus(sql`e`)} = ${status}`
}

/** Where a payment or a row of a list stands, in the words of exports. */
export const statusWords: Record<ListStatus, Text> = {
  pending: { en: 'Pending', fr: 'En attente' },
  sending: { en: 'Sending', fr: 'En cours d’envoi' },
  success: { en: 'Success', fr: 'Succès' },
  failed: { en: 'Failed', fr: 'Échec' },
  unknown: { en: 'Unknown', fr: 'Réponse de l’agence attendue' },
  rejected: { en: 'List rejected', fr: 'Liste rejetée' },
  withheld: { en: 'Withheld', fr: 'Retenu' },
  written_off: { en: 'Written off', fr: 'Passé en perte' },
  erased: { en: 'Person erased', fr: 'Personne effacée' },
}
