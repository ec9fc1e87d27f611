import type { Text } from '../text.ts'
import type { ArrearAge } from './arrears.ts'
import type { ExceptionDecision } from './payment-exceptions.ts'
import type { ExceptionKind } from './payrolls.ts'

/** How long money has been in arrears, in words. */
export const arrearAgeWords: Record<ArrearAge, Text> = {
  '0-30': { en: '0 to 30 days', fr: '0 à 30 jours' },
  '31-60': { en: '31 to 60 days', fr: '31 à 60 jours' },
  '61-90': { en: '61 to 90 days', fr: '61 à 90 jours' },
  'over-90': { en: 'More than 90 days', fr: 'Plus de 90 jours' },
}

/** What in an agency's answer does not agree with the order, in words. */
export const exceptionKindWords: Record<ExceptionKind, Text> = {
  contradiction: { en: 'Outcome, after it was final', fr: 'Résultat, après qu’il était définitif' },
  key: { en: 'Key of the order', fr: 'Clé de l’ordre' },
  reference: { en: 'Reference of the payment', fr: 'Référence du paiement' },
  amount: { en: 'Amount', fr: 'Montant' },
  currency: { en: 'Currency', fr: 'Devise' },
  recipient: { en: 'Recipient’s number', fr: 'Numéro du destinataire' },
  transaction: {
    en: 'Transaction, which belongs to another payment',
    fr: 'Transaction, qui appartient à un autre paiement',
  },
  not_found: { en: 'Order', fr: 'Ordre' },
  unreadable: { en: 'Form of the answer', fr: 'Forme de la réponse' },
  statement: { en: 'Paid by a signed statement', fr: 'Payé selon un relevé signé' },
  returned: { en: 'Given back by a signed statement', fr: 'Rendu selon un relevé signé' },
  several: { en: 'Another payment with this reference', fr: 'Autre paiement de même référence' },
}

/** Where a statement has a payment as paid; null for an exception of another kind, and once its person was erased. */
export function statedPlace(
  kind: ExceptionKind,
  answered: string,
): { statement: number; row: number } | null {
  const [, statement, row] =
    ((kind === 'statement' || kind === 'returned') && /^(\d+): (\d+)$/.exec(answered)) || []
  return statement && row ? { statement: Number(statement), row: Number(row) } : null
}

/** What a person decided about such an answer, in words. */
export const exceptionDecisionWords: Record<ExceptionDecision, Text> = {
  status_stands: { en: 'As recorded here', fr: 'Comme enregistré ici' },
  money_moved: { en: 'Money moved', fr: 'L’argent est parti' },
  money_missing: { en: 'Money missing', fr: 'L’argent manque' },
}
