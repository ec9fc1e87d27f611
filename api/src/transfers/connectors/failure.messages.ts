import type { Text } from '@portal/contracts/sentences'
import type { FailureClass } from './connector.ts'

/** What ends a failure of each class, for the person who sees it. */
export const failureAdvice: Record<FailureClass, Text> = {
  recipient: {
    en: 'Check the number with the family and correct the recipient; once a second person agrees, it is paid again.',
    fr: 'Vérifiez le numéro avec la famille et corrigez le destinataire ; après l’accord d’une seconde personne, il est payé de nouveau.',
  },
  funds: {
    en: 'Have the paying account at the agency filled, then retry it.',
    fr: 'Faites approvisionner le compte payeur auprès de l’agence, puis relancez-le.',
  },
  limit: {
    en: 'The recipient’s account cannot take this amount now. Retry it when the account’s limit starts anew, or correct the recipient.',
    fr: 'Le compte du destinataire ne peut pas recevoir ce montant actuellement. Relancez-le lorsque le plafond est renouvelé, ou corrigez le destinataire.',
  },
  configuration: {
    en: 'The agency does not take the order as the portal sends it. An administrator checks the agency’s details; then it can be retried.',
    fr: 'L’agence n’accepte pas l’ordre tel que le portail l’envoie. Un administrateur vérifie les détails de l’agence ; ensuite il peut être relancé.',
  },
  duplicate: {
    en: 'The agency knows this order with other content. Compare both with the agency before anything is paid.',
    fr: 'L’agence connaît cet ordre avec un autre contenu. Comparez les deux avec l’agence avant tout paiement.',
  },
  transient: {
    en: 'The agency could not carry it out at that moment. Retry it later.',
    fr: 'L’agence n’a pas pu l’exécuter à ce moment-là. Relancez-le plus tard.',
  },
}
