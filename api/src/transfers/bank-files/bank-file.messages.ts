import type { Text } from '@portal/contracts/sentences'

/** The sentences about files for banks. */
export const say = {
  made: {
    en: 'Payments in the file: {0,number}. They count as sent: give it to the bank.',
    fr: 'Paiements dans le fichier : {0,number}. Ils comptent comme envoyés : remettez-le à la banque.',
  },
  madeBefore: {
    en: 'The file was made a moment ago. It is the same one.',
    fr: 'Le fichier vient d’être créé. C’est le même.',
  },
  takesNoFiles: {
    en: 'The agency of this cohort takes no files: its payments are sent by the portal.',
    fr: 'L’agence de cette cohorte ne prend pas de fichiers : le portail envoie ses paiements.',
  },
  nothingWaits: {
    en: 'No payment of this round waits to be sent.',
    fr: 'Aucun paiement de ce tour n’attend d’être envoyé.',
  },
  changed: {
    en: 'The payments that wait have changed. Reload the page and look at the sums again.',
    fr: 'Les paiements en attente ont changé. Rechargez la page et vérifiez de nouveau les montants.',
  },
  otherAccount: {
    en: 'The account that pays is another one than the one you saw. Look at it, and confirm once more.',
    fr: 'Le compte payeur n’est plus celui que vous avez vu. Vérifiez-le, et confirmez une nouvelle fois.',
  },
  noAccount: {
    en: 'These rows of the list have no account or no bank that a file can name: {0}. Put these girls on hold, or reject the list and upload it complete.',
    fr: 'Ces lignes de la liste n’ont pas de compte ou pas de banque qu’un fichier puisse nommer : {0}. Bloquez ces élèves, ou rejetez la liste et importez-la complète.',
  },
  payerMissing: {
    en: 'The agency’s details lack the paying account. An administrator adds them in the settings.',
    fr: 'Les détails de l’agence n’indiquent pas le compte payeur. Un administrateur les ajoute dans les paramètres.',
  },
  noWorker: {
    en: 'No worker of the portal has reported for some seconds, so nothing is sent. Tell whoever runs the portal.',
    fr: 'Aucun processus de paiement du portail ne s’est manifesté depuis quelques secondes : rien n’est envoyé. Prévenez l’exploitant du portail.',
  },
  comparing: {
    en: 'A statement of this bank is being compared, and may have payments of this round. Make the file once it is done.',
    fr: 'Un relevé de cette banque est en cours de comparaison et peut contenir des paiements de ce tour. Créez le fichier une fois la comparaison terminée.',
  },
  notDue: {
    en: 'The day of this round has not come: {0}.',
    fr: 'Le jour de ce tour n’est pas venu : {0}.',
  },
  missed: {
    en: 'This round was missed. A person who approves cohorts starts it by hand first.',
    fr: 'Ce tour a été manqué. Une personne qui approuve les cohortes le lance d’abord à la main.',
  },
  answerInvalid: { en: 'The answer was not read.', fr: 'La réponse n’a pas été lue.' },
  noSuchFile: {
    en: 'The answer is to the file {0}, and the portal made no file of this name.',
    fr: 'La réponse concerne le fichier {0}, et le portail n’a créé aucun fichier de ce nom.',
  },
  sameAnswer: {
    en: 'This answer was uploaded before. Nothing has changed.',
    fr: 'Cette réponse a déjà été importée. Rien n’a changé.',
  },
  answered: {
    en: 'Paid: {0}. Refused: {1}. Others: {2}.',
    fr: 'Payés : {0}. Refusés : {1}. Autres : {2}.',
  },
} satisfies Record<string, Text>
