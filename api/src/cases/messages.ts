import type { Text } from '@portal/contracts/sentences'

/** The sentences about cases and consultations. */
export const say = {
  caseFiled: {
    en: 'Case {0} filed. Its reviewer was notified.',
    fr: 'Dossier {0} déposé. Son responsable a été prévenu.',
  },
  documentUploaded: { en: 'Document uploaded', fr: 'Document ajouté' },
  activityRecorded: { en: 'Activity recorded', fr: 'Activité enregistrée' },
  resolved: {
    en: 'Case resolved. The filer was notified.',
    fr: 'Dossier résolu. La personne qui l’a déposé a été prévenue.',
  },
  rejected: {
    en: 'Case rejected. The filer was notified.',
    fr: 'Dossier rejeté. La personne qui l’a déposé a été prévenue.',
  },
  referred: { en: 'Consultation request sent', fr: 'Demande d’avis envoyée' },
  revoked: {
    en: 'Consultation withdrawn. Its link no longer works.',
    fr: 'Demande d’avis retirée. Son lien ne fonctionne plus.',
  },
  assigned: { en: 'Case assigned', fr: 'Dossier attribué' },

  reviewerOnly: {
    en: 'Only the reviewer this case is assigned to can do this.',
    fr: 'Seul le responsable à qui ce dossier est attribué peut le faire.',
  },
  decided: {
    en: 'This case has already been decided.',
    fr: 'Ce dossier a déjà fait l’objet d’une décision.',
  },
  oneAtATime: {
    en: 'A consultation is still open. Wait for its answer, or withdraw it first.',
    fr: 'Une consultation est encore ouverte. Attendez la réponse, ou retirez-la d’abord.',
  },
  notOpen: { en: 'This consultation is no longer open.', fr: 'Cette consultation n’est plus ouverte.' },
  documentsFull: {
    en: 'You have added {0} documents, as many as a request takes. Put what is left into one file with your feedback.',
    fr: 'Vous avez ajouté {0} documents, le maximum pour une demande. Réunissez le reste dans un seul fichier, joint à votre avis.',
  },
  answerReceived: { en: 'Your input was received.', fr: 'Votre avis a bien été reçu.' },
  declineReceived: { en: 'Your refusal was recorded.', fr: 'Votre refus a été enregistré.' },

  yourCaseResolved: { en: 'Your case {0} was resolved: {1}', fr: 'Votre dossier {0} a été résolu : {1}' },
  resolvedMail: { en: 'Your case {0} was resolved.', fr: 'Votre dossier {0} a été résolu.' },
  rejectedMail: { en: 'Your case {0} was rejected.', fr: 'Votre dossier {0} a été rejeté.' },
  yourCaseRejected: { en: 'Your case {0} was rejected: {1}', fr: 'Votre dossier {0} a été rejeté : {1}' },

  inviteSubject: { en: 'Consultation request {0}', fr: 'Demande d’avis {0}' },
  inviteBody: {
    en: 'You are asked for your opinion on a case of a girls’ education programme.\n\nOpen the request by this link; it needs no account and is meant for you only:\n{0}\n\nThe link works for 30 days.',
    fr: 'Votre avis est demandé sur un dossier d’un programme d’éducation des filles.\n\nOuvrez la demande par ce lien ; il ne nécessite aucun compte et vous est réservé :\n{0}\n\nLe lien est valable 30 jours.',
  },
} satisfies Record<string, Text>

/** How a consultation ended, or why it did not begin, in the reviewer's notice. */
export const ends = {
  answered: { en: 'was answered', fr: 'a reçu une réponse' },
  declined: { en: 'was declined', fr: 'a été déclinée' },
  expired: { en: 'has expired', fr: 'a expiré' },
  refused: {
    en: 'could not be requested: the letter was not delivered, because the expert’s address was refused',
    fr: 'n’a pas pu être demandée : le message n’a pas été remis, car l’adresse de l’expert a été refusée',
  },
  not_taken: {
    en: 'could not be requested: no mail server took the letter within two days',
    fr: 'n’a pas pu être demandée : aucun serveur de messagerie n’a accepté le message en deux jours',
  },
} satisfies Record<string, Text>

/** How close a case is to the day by which it should be decided, in the reviewer's notice. */
export const dues = {
  soon: { en: 'is due on', fr: 'est à traiter pour le' },
  overdue: { en: 'has been overdue since', fr: 'est en retard depuis le' },
} satisfies Record<string, Text>
