import type { Text } from '@portal/contracts/sentences'

/** The sentences of access, registers, cases and home, in both languages. */
export const msg = {
  signedIn: { en: 'You are signed in.', fr: 'Connexion réussie.' },
  signedOut: { en: 'You are signed out.', fr: 'Déconnexion réussie.' },
  signInWrong: {
    en: 'The e-mail or the password is not right.',
    fr: 'L’adresse e-mail ou le mot de passe est incorrect.',
  },
  codeNeeded: {
    en: 'Write the code of your authenticator, or a recovery code.',
    fr: 'Saisissez le code de votre application d’authentification, ou un code de récupération.',
  },
  profileUpdated: { en: 'Profile updated', fr: 'Profil mis à jour' },
  profileInvalid: { en: 'The form has errors', fr: 'Le formulaire contient des erreurs' },
  othersProfile: {
    en: 'You can only change your own profile.',
    fr: 'Vous ne pouvez modifier que votre propre profil.',
  },
  notificationMarked: { en: 'Notification updated', fr: 'Notification mise à jour' },
  notificationsMarked: { en: 'All notifications are read', fr: 'Toutes les notifications sont lues' },
  inviteUnknown: {
    en: "Oops! Something doesn't seem right, we encountered an issue fetching the consultation request with your invite code.",
    fr: 'Oups ! Quelque chose ne va pas : nous n’avons pas pu récupérer la demande de consultation avec votre code d’invitation.',
  },
} satisfies Record<string, Text>
