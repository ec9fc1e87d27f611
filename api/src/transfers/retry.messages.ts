import type { Text } from '@portal/contracts/sentences'

/** The sentences about retrying failed payments. */
export const say = {
  retried: {
    en: 'Failed payments that are made again: {0}',
    fr: 'Paiements échoués relancés : {0}',
  },
  retriedButSome: {
    en: 'Failed payments that are made again: {0}. Left out, because an answer or a statement of the agency or a correction must be looked at first, or the girl is on hold: {1}',
    fr: 'Paiements échoués relancés : {0}. Laissés de côté, car une réponse ou un relevé de l’agence, ou une correction, doit d’abord être examiné, ou l’élève est bloquée : {1}',
  },
  retriedInPart: {
    en: 'Failed payments that are made again: {0}. There are more: {1}. Make them again, too, by doing the same once more.',
    fr: 'Paiements échoués relancés : {0}. Il en reste : {1}. Relancez-les aussi en répétant la même action.',
  },
  noneRetried: {
    en: 'Nothing was sent: {0} of {1} chosen payments cannot be made again.',
    fr: 'Rien n’a été envoyé : {0} des {1} paiements choisis ne peuvent pas être relancés.',
  },
  nothingFailedSo: {
    en: 'No payment that failed for this reason can be made again. Reload the page.',
    fr: 'Aucun paiement échoué pour ce motif ne peut être relancé. Rechargez la page.',
  },
  sendingIsHeld: {
    en: 'No payments are being sent at all. Sending must be released first.',
    fr: 'Plus aucun paiement n’est envoyé. L’envoi doit d’abord être rétabli.',
  },
  cohortInError: {
    en: 'This cohort ended in a payment error. Retry its approval first.',
    fr: 'Cette cohorte s’est arrêtée sur une erreur de paiement. Reprenez d’abord son envoi.',
  },
  cohortStopped: {
    en: 'Payments of this cohort are stopped. Resume them first.',
    fr: 'Les paiements de cette cohorte sont arrêtés. Reprenez-les d’abord.',
  },
} satisfies Record<string, Text>
