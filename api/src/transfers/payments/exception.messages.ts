import type { Text } from '@portal/contracts/sentences'

/** The sentences about answers of agencies that a person decides on. */
export const say = {
  closed: {
    en: 'The decision is noted. If the agency answers so again, it is shown again.',
    fr: 'La décision est enregistrée. Si l’agence répond encore ainsi, cela sera de nouveau signalé.',
  },
  closedAlready: {
    en: 'Somebody has decided on this answer already. Reload the page.',
    fr: 'Quelqu’un a déjà décidé de cette réponse. Rechargez la page.',
  },
  notFinal: {
    en: 'The outcome of this payment is not known yet: the agency is asked again. Decide once it has succeeded or failed.',
    fr: 'Le résultat de ce paiement n’est pas encore connu : l’agence est interrogée. Décidez dès qu’il a réussi ou échoué.',
  },
  onlyFailed: {
    en: 'Only the money of a failed payment can have moved after all. Choose another decision.',
    fr: 'Seul l’argent d’un paiement échoué peut avoir été transféré malgré tout. Choisissez une autre décision.',
  },
  onlyPaid: {
    en: 'Only the money of a successful payment can be missing. Choose another decision.',
    fr: 'Seul l’argent d’un paiement réussi peut manquer. Choisissez une autre décision.',
  },
} satisfies Record<string, Text>
