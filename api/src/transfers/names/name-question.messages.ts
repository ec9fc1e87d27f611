import type { Text } from '@portal/contracts/sentences'

/** The sentences about a question of one name. */
export const say = {
  noNumber: {
    en: 'This recipient is paid to an account, so no number can be asked about.',
    fr: 'Ce destinataire est payé sur un compte : aucun numéro ne peut être vérifié.',
  },
  paying: {
    en: 'Payments are being made through this agency, and they go first. Ask again in a few minutes.',
    fr: 'Des paiements sont en cours auprès de cette agence et passent d’abord. Réessayez dans quelques minutes.',
  },
  busy: {
    en: 'The agency is being asked about other names. Ask again in a few seconds.',
    fr: 'L’agence est interrogée sur d’autres noms. Réessayez dans quelques secondes.',
  },
  numberAsked: {
    en: 'The agency has been asked about this number too often just now. Ask again in five minutes.',
    fr: 'L’agence vient d’être interrogée trop souvent sur ce numéro. Réessayez dans cinq minutes.',
  },
  tooMany: {
    en: 'You have asked about 30 names within an hour. Go on later, or check the names of the whole list.',
    fr: 'Vous avez demandé 30 noms en une heure. Continuez plus tard, ou vérifiez les noms de toute la liste.',
  },
  refused: {
    en: 'The agency refused our credentials. Tell the administrators.',
    fr: 'L’agence a refusé nos identifiants. Prévenez les administrateurs.',
  },
  noAnswer: {
    en: 'The agency gave no answer. Ask again later.',
    fr: 'L’agence n’a pas répondu. Réessayez plus tard.',
  },
} satisfies Record<string, Text>
