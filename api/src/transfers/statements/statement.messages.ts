import type { Text } from '@portal/contracts/sentences'

/** The sentences about statements of agencies. */
export const say = {
  started: {
    en: 'The statement is being read and compared.',
    fr: 'Le relevé est en cours de lecture et de comparaison.',
  },
  same: {
    en: 'This file was uploaded before. Nothing has changed.',
    fr: 'Ce fichier a déjà été envoyé. Rien n’a changé.',
  },
  uploadInvalid: {
    en: 'The statement was not accepted. Look at the fields below.',
    fr: 'Le relevé n’a pas été accepté. Vérifiez les champs ci-dessous.',
  },
  notClosed: {
    en: 'Choose a closed statement of this agency that no other one replaces.',
    fr: 'Choisissez un relevé clôturé de cette agence qu’aucun autre ne remplace.',
  },
  noLines: {
    en: 'The file has no line below its headings.',
    fr: 'Le fichier n’a aucune ligne sous ses en-têtes.',
  },
  noPayments: {
    en: 'The file has no payment that the bank has booked.',
    fr: 'Le fichier n’a aucun paiement comptabilisé par la banque.',
  },
  broken: {
    en: 'The statement could not be compared because of an error of the portal. Upload it again.',
    fr: 'Le relevé n’a pas pu être comparé à cause d’une erreur du portail. Envoyez-le à nouveau.',
  },
  notOpen: {
    en: 'This statement is not open. Reload the page.',
    fr: 'Ce relevé n’est pas ouvert. Rechargez la page.',
  },
  noReport: {
    en: 'This statement has no report: it is not compared yet, was withdrawn or could not be read.',
    fr: 'Ce relevé n’a pas de rapport : il n’est pas encore comparé, a été retiré ou est illisible.',
  },
  nothingToResolve: {
    en: 'There is no such difference in this statement. Reload the page.',
    fr: 'Il n’y a pas un tel écart dans ce relevé. Rechargez la page.',
  },
  resolved: { en: 'Resolved differences: {0}', fr: 'Écarts résolus : {0}' },
  changed: {
    en: 'Somebody has resolved a difference since you opened this statement. Reload the page and look again.',
    fr: 'Quelqu’un a résolu un écart depuis que vous avez ouvert ce relevé. Rechargez la page et vérifiez à nouveau.',
  },
  differencesOpen: {
    en: 'Differences that are not resolved: {0,number}. Resolve them before the statement is signed.',
    fr: 'Écarts qui restent à résoudre : {0,number}. Résolvez-les avant la signature du relevé.',
  },
  own: {
    en: 'You uploaded this statement or resolved a difference of it, so somebody else has to sign it.',
    fr: 'Vous avez envoyé ce relevé ou résolu un de ses écarts : une autre personne doit le signer.',
  },
  signed: {
    en: 'The statement is signed and closed.',
    fr: 'Le relevé est signé et clôturé.',
  },
  withdrawn: { en: 'The statement is withdrawn.', fr: 'Le relevé est retiré.' },
  repeatedElsewhere: {
    en: 'Another statement has lines of this one. Withdraw that one first.',
    fr: 'Un autre relevé contient des lignes de celui-ci. Retirez d’abord cet autre relevé.',
  },
  isEvidence: {
    en: 'A line of this statement is evidence for a payment that people settle. Refuse that settlement first.',
    fr: 'Une ligne de ce relevé justifie le règlement d’un paiement. Refusez d’abord ce règlement.',
  },
} satisfies Record<string, Text>
