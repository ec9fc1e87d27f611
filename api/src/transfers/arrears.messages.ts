import type { ArrearAge } from '@portal/contracts/arrears'
import type { PaymentState } from '@portal/contracts/payrolls'
import type { Text } from '@portal/contracts/sentences'

/** The ages as the export heads and names them. */
export const ageWords: Record<ArrearAge, Text> = {
  '0-30': { en: '0 to 30 days', fr: '0 à 30 jours' },
  '31-60': { en: '31 to 60 days', fr: '31 à 60 jours' },
  '61-90': { en: '61 to 90 days', fr: '61 à 90 jours' },
  'over-90': { en: 'More than 90 days', fr: 'Plus de 90 jours' },
}

/** What stands beside the reason of a failure where something else keeps the payment in arrears. */
export const stateWords: Partial<Record<PaymentState, Text>> = {
  doubted: { en: 'answer to look at', fr: 'réponse à examiner' },
  paid_after_all: { en: 'paid after all', fr: 'payé malgré tout' },
  correcting: { en: 'correction waits for approval', fr: 'correction en attente d’approbation' },
  held: { en: 'girl on hold', fr: 'élève bloquée' },
}
