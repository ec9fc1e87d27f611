import type { Text } from '@portal/contracts/sentences'

/** The sentences of the kit, in both languages. */
export const say = {
  invalid: {
    en: 'Error: Your request has validation errors! Please make sure all required fields are filled accordingly and try again.',
    fr: 'Erreur : votre demande contient des erreurs de saisie ! Vérifiez que tous les champs obligatoires sont correctement remplis, puis réessayez.',
  },
  signIn: { en: 'Sign in to continue.', fr: 'Connectez-vous pour continuer.' },
  otherPerson: {
    en: 'Somebody else has signed in here since this page was opened. Nothing was saved: sign in again.',
    fr: 'Une autre personne s’est connectée ici depuis que cette page est ouverte. Rien n’a été enregistré : reconnectez-vous.',
  },
  forbidden: {
    en: 'You do not have the permission for this.',
    fr: 'Vous n’avez pas la permission de le faire.',
  },
  codesNeeded: {
    en: 'Your roles ask for one-time codes. Set them up on your profile page; everything else is open to you after that.',
    fr: 'Vos rôles exigent des codes à usage unique. Configurez-les sur la page de votre profil ; tout le reste vous sera ensuite ouvert.',
  },
  signInAnew: {
    en: 'For this act, confirm with your password that it is you.',
    fr: 'Pour cet acte, confirmez votre identité avec votre mot de passe.',
  },
  notFound: {
    en: 'This is not here, or not yours to see.',
    fr: 'Cet élément n’existe pas, ou ne vous est pas accessible.',
  },
  fileDropped: {
    en: 'The content of this file was deleted, because the data of a person in it were erased or its time was over.',
    fr: 'Le contenu de ce fichier a été supprimé : les données d’une personne y ont été effacées, ou son délai est écoulé.',
  },
  fileLost: {
    en: 'The content of this file is missing or damaged where the portal keeps its files. Tell an administrator.',
    fr: 'Le contenu de ce fichier est introuvable ou endommagé là où le portail conserve ses fichiers. Prévenez un administrateur.',
  },
  formSent: {
    en: 'This form was saved already. Close it: what you entered is in the portal.',
    fr: 'Ce formulaire a déjà été enregistré. Fermez-le : ce que vous avez saisi est dans le portail.',
  },
  conflict: {
    en: 'Something else was changed in the meantime. Reload the page and try again.',
    fr: 'Les données ont changé entre-temps. Rechargez la page et réessayez.',
  },
  changedMeanwhile: {
    en: 'Somebody else has changed this since you opened it. Nothing was saved: look at the current values and change them again.',
    fr: 'Une autre personne a modifié ces données depuis que vous les avez ouvertes. Rien n’a été enregistré : regardez les valeurs actuelles et modifiez-les à nouveau.',
  },
  inUse: {
    en: 'This is still used elsewhere, or refers to something that is gone.',
    fr: 'Cet élément est encore utilisé ailleurs, ou renvoie à un élément disparu.',
  },
  contentType: {
    en: 'This call does not take a body of this type.',
    fr: 'Cet appel n’accepte pas un contenu de ce type.',
  },
  session: {
    en: 'Your session has expired. Reload the page and try again.',
    fr: 'Votre session a expiré. Rechargez la page et réessayez.',
  },
  strangeText: {
    en: 'This text has a character that cannot be stored. Write it again.',
    fr: 'Ce texte contient un caractère impossible à enregistrer. Écrivez-le à nouveau.',
  },
  tooDeep: {
    en: 'This value is nested too deeply: at most 20 levels are read.',
    fr: 'Cette valeur est trop imbriquée : 20 niveaux sont lus au plus.',
  },
  pictureContent: {
    en: 'This file is not a picture that can be read. Choose a JPEG, PNG or WebP.',
    fr: 'Ce fichier n’est pas une image lisible. Choisissez un fichier JPEG, PNG ou WebP.',
  },
  cutOff: { en: 'The upload was cut off. Send it again.', fr: 'L’envoi a été interrompu. Recommencez.' },
  virus: {
    en: 'The virus scanner found something in this file, so it was not kept. Have the device it comes from checked.',
    fr: 'L’antivirus a trouvé quelque chose dans ce fichier, qui n’a pas été conservé. Faites vérifier l’appareil dont il provient.',
  },
  scannerAway: {
    en: 'Files cannot be checked for viruses at the moment. Nothing was kept. Try again in a few minutes.',
    fr: 'Les fichiers ne peuvent pas être soumis à l’antivirus en ce moment. Rien n’a été conservé. Réessayez dans quelques minutes.',
  },
  partName: {
    en: 'A part of this form has no name, or one that no field can have.',
    fr: 'Une partie de ce formulaire n’a pas de nom, ou un nom qu’aucun champ ne peut porter.',
  },
  partJson: {
    en: 'A part of this form is not readable JSON, though its type says so.',
    fr: 'Une partie de ce formulaire n’est pas du JSON lisible, alors que son type l’annonce.',
  },
  boundary: {
    en: 'The boundary between the parts of this form is too long.',
    fr: 'Le séparateur des parties de ce formulaire est trop long.',
  },
  json: { en: 'The request is not readable JSON.', fr: 'La demande n’est pas du JSON lisible.' },
  tooMany: {
    en: 'Too many attempts. Wait {0} s and try again.',
    fr: 'Trop de tentatives. Attendez {0} s et réessayez.',
  },
  awayReading: {
    en: 'The database of the portal does not answer at the moment. This page tries again by itself.',
    fr: 'La base de données du portail ne répond pas pour le moment. Cette page réessaie d’elle-même.',
  },
  awayWriting: {
    en: 'The database of the portal does not answer at the moment. Nothing was saved: try again in a minute.',
    fr: 'La base de données du portail ne répond pas pour le moment. Rien n’a été enregistré : réessayez dans une minute.',
  },
  busyReading: {
    en: 'The portal is busy, and this took too long. This page tries again by itself.',
    fr: 'Le portail est très sollicité, et la réponse a pris trop de temps. Cette page réessaie d’elle-même.',
  },
  busyWriting: {
    en: 'The portal is busy, and this took too long. Nothing was saved: try again in a minute.',
    fr: 'Le portail est très sollicité, et l’opération a pris trop de temps. Rien n’a été enregistré : réessayez dans une minute.',
  },
  outcomeUnknown: {
    en: 'The database went away while this was being saved, so it is not known whether it was. Reload the page and look before you do it again.',
    fr: 'La base de données a cessé de répondre pendant l’enregistrement : on ne sait pas s’il a eu lieu. Rechargez la page et vérifiez avant de recommencer.',
  },
  storeReading: {
    en: 'The store of the portal’s files does not answer at the moment. Try again in a minute.',
    fr: 'L’espace de stockage des fichiers du portail ne répond pas pour le moment. Réessayez dans une minute.',
  },
  storeWriting: {
    en: 'The store of the portal’s files does not answer at the moment. Nothing was saved: try again in a minute.',
    fr: 'L’espace de stockage des fichiers du portail ne répond pas pour le moment. Rien n’a été enregistré : réessayez dans une minute.',
  },
  noSpace: {
    en: 'The portal has no space left on its disk. Nothing was saved: tell an administrator, and try again when there is space.',
    fr: 'Le portail n’a plus d’espace sur son disque. Rien n’a été enregistré : prévenez un administrateur, et réessayez quand il y aura de l’espace.',
  },
  failure: { en: 'Something went wrong on our side.', fr: 'Un problème est survenu de notre côté.' },
  exportStarted: { en: 'Your export is being prepared.', fr: 'Votre export est en préparation.' },
  exportFailed: {
    en: 'The export could not be written. Start it again.',
    fr: 'L’export n’a pas pu être écrit. Relancez-le.',
  },
  rightGone: {
    en: 'You no longer have the right to this file.',
    fr: 'Vous n’avez plus le droit d’obtenir ce fichier.',
  },
} satisfies Record<string, Text>
