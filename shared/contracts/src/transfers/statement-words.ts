import type { Text } from '../text.ts'
import type { FindingCategory, FindingCause, StatementState } from './statements.ts'

/** Where a statement stands, in words. */
export const statementStateWords: Record<StatementState, Text> = {
  queued: { en: 'Waiting', fr: 'En attente de lecture' },
  reading: { en: 'Being read', fr: 'En cours de lecture' },
  open: { en: 'To sign', fr: 'À signer' },
  closed: { en: 'Signed', fr: 'Signé' },
  withdrawn: { en: 'Withdrawn', fr: 'Retiré' },
  failed: { en: 'Not readable', fr: 'Illisible' },
}

/** How a line and a payment compare, in words. */
export const findingCategoryWords: Record<FindingCategory, Text> = {
  matched: { en: 'Matched', fr: 'Concordance' },
  amount: { en: 'Amount differs', fr: 'Montant différent' },
  theirs: { en: 'Only in the statement', fr: 'Seulement dans le relevé' },
  ours: { en: 'Only in the portal', fr: 'Seulement dans le portail' },
  fee: { en: 'Fee differs', fr: 'Frais différents' },
}

/** Why a line has no payment of ours, in words. */
export const findingCauseWords: Record<FindingCause, Text> = {
  unreadable: { en: 'The line cannot be read', fr: 'Ligne illisible' },
  unknown: { en: 'No payment of the portal', fr: 'Aucun paiement du portail' },
  not_paid: { en: 'Not paid in the portal', fr: 'Non payé dans le portail' },
  already: { en: 'Its payment has another line', fr: 'Le paiement a déjà une autre ligne' },
}
