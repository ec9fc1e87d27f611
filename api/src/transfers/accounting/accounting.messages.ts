import type { Text } from '@portal/contracts/sentences'
import type { MoneyAccount } from '@portal/contracts/transfers/accounting'
import type { EventKind } from '../ledger/money-lines.ts'

/** The accounts as the exports name them. */
export const accountWords: Record<MoneyAccount, Text> = {
  programme: { en: 'Programme', fr: 'Programme' },
  float: { en: 'Agency float', fr: 'Fonds chez l’agence' },
  fees: { en: 'Fees', fr: 'Frais' },
  recipients: { en: 'Owed to recipients', fr: 'Dû aux destinataires' },
  arrears: { en: 'Arrears', fr: 'Arriérés' },
  written_off: { en: 'Written off', fr: 'Passé en perte' },
}

/** What happened to a payment, of the kinds that have lines. */
export const eventWords: Partial<Record<EventKind, Text>> = {
  expected: { en: 'Expected', fr: 'Attendu' },
  opening: { en: 'Opening', fr: 'Reprise' },
  paid: { en: 'Paid', fr: 'Payé' },
  failed: { en: 'Failed', fr: 'Échoué' },
  settled: { en: 'Settled by two people', fr: 'Réglé par deux personnes' },
  withheld: { en: 'Withheld', fr: 'Retenu' },
  released: { en: 'Released', fr: 'Débloqué' },
  retried: { en: 'To be made again', fr: 'À refaire' },
  written_off: { en: 'Written off', fr: 'Passé en perte' },
}
