import type { Text } from '@portal/contracts/sentences'

/** The sentences about corrections of recipients. */
export const say = {
  proposed: {
    en: 'The correction waits for the approval of a second person.',
    fr: 'La correction attend l’approbation d’une deuxième personne.',
  },
  approved: {
    en: 'The correction is approved. What waits for this recipient goes by it, and failed payments can now be made again.',
    fr: 'La correction est approuvée. Ce qui attend pour ce destinataire la suit, et les paiements échoués peuvent être relancés.',
  },
  refused: {
    en: 'The correction is refused. The recipient stays as approved with the list.',
    fr: 'La correction est refusée. Le destinataire reste tel qu’approuvé avec la liste.',
  },
  nothingFailed: {
    en: 'No payment of this recipient has failed, so there is nothing to correct. Reload the page.',
    fr: 'Aucun paiement de ce destinataire n’a échoué : rien n’est à corriger. Rechargez la page.',
  },
  nothingChanges: {
    en: 'This is the recipient as approved already. Change the name, the number or the account.',
    fr: 'Le destinataire est déjà ainsi. Modifiez le nom, le numéro ou le compte.',
  },
  decided: {
    en: 'Somebody has decided on this correction already. Reload the page.',
    fr: 'Quelqu’un a déjà décidé de cette correction. Rechargez la page.',
  },
  own: {
    en: 'You proposed this correction, so somebody else must approve it.',
    fr: 'Vous avez proposé cette correction : une autre personne doit l’approuver.',
  },
  withdrawn: {
    en: 'The correction is withdrawn. The recipient stays as approved with the list.',
    fr: 'La correction est retirée. Le destinataire reste tel qu’approuvé avec la liste.',
  },
  notOwn: {
    en: 'Somebody else proposed this correction. They can withdraw it, and an approver can refuse it.',
    fr: 'Une autre personne a proposé cette correction. Elle peut la retirer, et un approbateur peut la refuser.',
  },
} satisfies Record<string, Text>

/** What is said beside a payment of a correction that was refused: by whom, and the comment if there is one. */
export const refusals = {
  plain: { en: '{0} refused a correction.', fr: '{0} a refusé une correction.' },
  because: { en: '{0} refused a correction: {1}', fr: '{0} a refusé une correction : {1}' },
} satisfies Record<string, Text>

/** What whoever proposed a correction reads of the decision, with the comment if there is one. */
export const outcomes = {
  approved: {
    plain: {
      en: 'Cohort {0}: your correction of a recipient was approved.',
      fr: 'Cohorte {0} : votre correction d’un destinataire a été approuvée.',
    },
    because: {
      en: 'Cohort {0}: your correction of a recipient was approved: {1}',
      fr: 'Cohorte {0} : votre correction d’un destinataire a été approuvée : {1}',
    },
  },
  refused: {
    plain: {
      en: 'Cohort {0}: your correction of a recipient was refused.',
      fr: 'Cohorte {0} : votre correction d’un destinataire a été refusée.',
    },
    because: {
      en: 'Cohort {0}: your correction of a recipient was refused: {1}',
      fr: 'Cohorte {0} : votre correction d’un destinataire a été refusée : {1}',
    },
  },
} satisfies Record<'approved' | 'refused', Record<'plain' | 'because', Text>>
