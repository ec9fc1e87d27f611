import type { Text } from '@portal/contracts/sentences'
import type { PaymentState } from '@portal/contracts/transfers/payrolls'

/** What stands beside the reason of a failure where something else keeps the payment in arrears. */
export const stateWords: Partial<Record<PaymentState, Text>> = {
  doubted: { en: 'answer to look at', fr: 'réponse à examiner' },
  paid_after_all: { en: 'paid after all', fr: 'payé malgré tout' },
  correcting: { en: 'correction waits for approval', fr: 'correction en attente d’approbation' },
  held: { en: 'girl on hold', fr: 'élève bloquée' },
}
