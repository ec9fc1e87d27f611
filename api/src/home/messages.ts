import type { NoticeKind } from '@portal/contracts/notices'
import type { Text } from '@portal/contracts/sentences'

/** What the bell says of a notice, by kind. `{0}` is a cohort's name, a case's number or a module's title. */
export const noticeSentences: Record<NoticeKind, Text> = {
  'cohort-to-approve': {
    en: 'Cohort "{0}" waits for approval.',
    fr: 'La cohorte « {0} » attend une approbation.',
  },
  'cohort-refused': { en: 'Your cohort "{0}" was rejected.', fr: 'Votre cohorte « {0} » a été rejetée.' },
  'cohort-in-error': { en: 'Cohort "{0}" stopped: {1}', fr: 'La cohorte « {0} » s’est arrêtée : {1}' },
  'case-assigned': { en: 'Case {0} is assigned to you: {1}', fr: 'Le dossier {0} vous est attribué : {1}' },
  'case-due': { en: 'Case {0} {1} {2}: {3}', fr: 'Le dossier {0} {1} {2} : {3}' },
  'expert-answered': {
    en: 'The consultation on case {0} {1}.',
    fr: 'La consultation sur le dossier {0} {1}.',
  },
  'build-to-admit': {
    en: '"{0}" {1} of {2} waits for admission.',
    fr: '« {0} » {1} de {2} attend une admission.',
  },
  'erasure-to-decide': {
    en: '{0} asks to erase the data of a person. Approve or refuse it.',
    fr: '{0} demande d’effacer les données d’une personne. Approuvez ou refusez.',
  },
  'payment-to-settle': {
    en: 'Cohort "{0}": a payment without an answer is settled with evidence. Approve or refuse it.',
    fr: 'Cohorte « {0} » : un paiement sans réponse est réglé sur justificatif. Approuvez ou refusez.',
  },
  'cohort-to-move': {
    en: 'Cohort "{0}" is to be paid through the agency {1}. Approve or refuse it.',
    fr: 'La cohorte « {0} » doit être payée par l’agence {1}. Approuvez ou refusez.',
  },
  'decision-waits': { en: '{0}', fr: '{0}' },
  'module-errors': {
    en: '"{0}" had {1} errors in the last hour, for {2} people. In the 24 hours before it had {3}.',
    fr: '« {0} » : {1} erreurs au cours de la dernière heure, chez {2} personnes. Dans les 24 heures d’avant : {3}.',
  },
}

/**
 * What a mail says instead, where the bell's sentence has the title of a case, because titles name girls, or what a
 * partner has written of itself (Messages 4.6).
 */
export const mailSentences: Partial<Record<NoticeKind, Text>> = {
  'case-assigned': { en: 'Case {0} is assigned to you.', fr: 'Le dossier {0} vous est attribué.' },
  'case-due': { en: 'Case {0} {1} {2}.', fr: 'Le dossier {0} {1} {2}.' },
  'build-to-admit': {
    en: 'A new version of {3} waits for admission: {1}.',
    fr: 'Une nouvelle version de {3} attend une admission : {1}.',
  },
  'module-errors': {
    en: 'Errors of the module {4} rise: {1} in the last hour, {3} in the 24 hours before.',
    fr: 'Les erreurs du module {4} augmentent : {1} au cours de la dernière heure, {3} dans les 24 heures d’avant.',
  },
}

/** The words around notices in mails, and the answer to a change of preferences. */
export const say = {
  digestSubject: { en: 'What waits for you: {0}', fr: 'Ce qui vous attend : {0}' },
  digestOpening: {
    en: 'This happened since the last mail of this kind:',
    fr: 'Voici ce qui s’est passé depuis le dernier message de ce genre :',
  },
  ofModules: { en: 'From modules', fr: 'Des modules' },
  footer: {
    en: 'You choose on your profile which of these mails you get, and when:\n{0}',
    fr: 'Vous choisissez dans votre profil lesquels de ces messages vous recevez, et quand :\n{0}',
  },
  viewSaved: { en: 'View saved', fr: 'Vue enregistrée' },
  viewDeleted: { en: 'View deleted', fr: 'Vue supprimée' },
  viewTaken: {
    en: 'You have a view of this name for this list already.',
    fr: 'Vous avez déjà une vue de ce nom pour cette liste.',
  },
  viewsFull: {
    en: 'You keep {0} views of this list already. Delete one first.',
    fr: 'Vous avez déjà {0} vues de cette liste. Supprimez-en une d’abord.',
  },
  viewElsewhere: {
    en: 'A module has saved views of lists at its own pages only, which begin with {0}.',
    fr: 'Un module n’a de vues enregistrées que des listes de ses propres pages, qui commencent par {0}.',
  },
  startSaved: { en: 'Start page saved', fr: 'Page de départ enregistrée' },
  startGone: {
    en: 'This view is gone. Choose another page.',
    fr: 'Cette vue n’existe plus. Choisissez une autre page.',
  },
  firstDayBack: {
    en: 'Your first day is on the home page again',
    fr: 'Votre premier jour est de nouveau sur l’accueil',
  },
  firstDayLeft: {
    en: 'You have left your first day. Your profile brings it back.',
    fr: 'Vous avez quitté votre premier jour. Votre profil le fait revenir.',
  },
  stepUnknown: {
    en: 'This step is not one of your first day. Load the page again.',
    fr: 'Cette étape ne fait pas partie de votre premier jour. Rechargez la page.',
  },
  stepByAct: {
    en: 'This step is marked by itself once you have done it.',
    fr: 'Cette étape est cochée d’elle-même dès que vous l’avez faite.',
  },
  stepOpened: { en: 'Step done', fr: 'Étape faite' },
  noFirstDay: {
    en: 'You have no first day. Your profile can show it.',
    fr: 'Vous n’avez pas de premier jour. Votre profil peut l’afficher.',
  },
  preferencesSaved: { en: 'Notification settings saved', fr: 'Réglages des notifications enregistrés' },
} satisfies Record<string, Text>
