import type { Text } from '@portal/contracts/sentences'

/** The sentences about outcomes that people settle with evidence. */
export const say = {
  proposed: {
    en: 'The settlement waits for the approval of a second person. Until then the agency is only asked.',
    fr: 'Le règlement attend l’approbation d’une deuxième personne. D’ici là, l’agence est seulement interrogée.',
  },
  approvedPaid: {
    en: 'The payment counts as paid.',
    fr: 'Le paiement compte comme payé.',
  },
  approvedNotPaid: {
    en: 'The payment counts as failed. It can now be made again, corrected or written off.',
    fr: 'Le paiement compte comme échoué. Il peut être relancé, corrigé ou passé en perte.',
  },
  refused: {
    en: 'The settlement is refused. The agency is asked on.',
    fr: 'Le règlement est refusé. L’agence reste interrogée.',
  },
  withdrawn: {
    en: 'The settlement is withdrawn. The agency is asked on.',
    fr: 'Le règlement est retiré. L’agence reste interrogée.',
  },
  notOwn: {
    en: 'Somebody else proposed this settlement. They can withdraw it, and an approver can refuse it.',
    fr: 'Une autre personne a proposé ce règlement. Elle peut le retirer, et un approbateur peut le refuser.',
  },
  evidenceNeeded: {
    en: 'Choose a line of a statement, or add a document: one of the two.',
    fr: 'Choisissez une ligne d’un relevé, ou ajoutez un document : l’un des deux.',
  },
  documentNeeded: {
    en: 'A line of a statement shows only what was paid. Add a document.',
    fr: 'Une ligne d’un relevé ne montre que ce qui a été payé. Ajoutez un document.',
  },
  lineDiffers: {
    en: 'This line does not show this payment: another amount, number or agency, or it shows another payment. Choose another one.',
    fr: 'Cette ligne ne montre pas ce paiement : autre montant, numéro ou agence, ou autre paiement. Choisissez-en une autre.',
  },
  stated: {
    en: 'A statement of the agency has this payment as paid. Settle it with that line, or withdraw the statement first.',
    fr: 'Un relevé de l’agence donne ce paiement comme payé. Réglez-le avec cette ligne, ou retirez d’abord le relevé.',
  },
  lineTaken: {
    en: 'This line is evidence for another payment. Choose another one.',
    fr: 'Cette ligne justifie un autre paiement. Choisissez-en une autre.',
  },
  answered: {
    en: 'The agency has answered meanwhile, so there is nothing to settle. Reload the page.',
    fr: 'L’agence a répondu entre-temps : rien n’est à régler. Rechargez la page.',
  },
  decided: {
    en: 'Somebody has decided on this settlement already. Reload the page.',
    fr: 'Quelqu’un a déjà décidé de ce règlement. Rechargez la page.',
  },
  own: {
    en: 'You proposed this settlement, so somebody else must approve it.',
    fr: 'Vous avez proposé ce règlement : une autre personne doit l’approuver.',
  },
  stillAsked: {
    en: 'The agency is being asked once more. Approve in two minutes.',
    fr: 'L’agence est interrogée une fois encore. Approuvez dans deux minutes.',
  },
} satisfies Record<string, Text>
