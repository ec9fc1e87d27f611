import type { Text } from '@portal/contracts/sentences'

/** The sentences about accounts, roles and codes, in both languages. */
export const say = {
  userCreated: { en: 'User created', fr: 'Utilisateur créé' },
  userInvited: {
    en: 'User created. An invitation to set a password is on its way.',
    fr: 'Utilisateur créé. Une invitation à définir un mot de passe est en route.',
  },
  personInvited: {
    en: 'This person of the registers is a user now. An invitation to set a password is on its way.',
    fr: 'Cette personne des registres est désormais un utilisateur. Une invitation à définir un mot de passe est en route.',
  },
  invitedAgain: {
    en: 'Another invitation to set a password is on its way. The earlier link no longer works.',
    fr: 'Une nouvelle invitation à définir un mot de passe est en route. Le lien précédent ne fonctionne plus.',
  },
  notInvited: {
    en: 'There is nobody to invite: this person has set a password already, has no e-mail or is deactivated.',
    fr: 'Il n’y a personne à inviter : cette personne a déjà défini un mot de passe, n’a pas d’e-mail ou est désactivée.',
  },
  draftKept: { en: 'What you typed is kept', fr: 'Votre saisie est conservée' },
  draftDropped: { en: 'What was kept is deleted', fr: 'La saisie conservée est supprimée' },
  userUpdated: { en: 'User updated', fr: 'Utilisateur mis à jour' },
  userDeactivated: { en: 'User deactivated', fr: 'Utilisateur désactivé' },
  usersDeactivated: { en: 'Users deactivated: {0}', fr: 'Utilisateurs désactivés : {0}' },
  userActivated: { en: 'User activated', fr: 'Utilisateur activé' },
  roleAssigned: { en: 'Role assigned', fr: 'Rôle attribué' },
  roleTakenAway: { en: 'Role removed', fr: 'Rôle retiré' },
  emailTaken: {
    en: 'This e-mail address is already in use.',
    fr: 'Cette adresse e-mail est déjà utilisée.',
  },
  roleGone: {
    en: 'This role is not there any more. Reload the page.',
    fr: 'Ce rôle n’existe plus. Rechargez la page.',
  },
  permissionGone: {
    en: 'One of these permissions does not exist. Reload the page.',
    fr: 'L’une de ces permissions n’existe pas. Rechargez la page.',
  },
  notYours: {
    en: 'You can only give permissions that you hold yourself.',
    fr: 'Vous ne pouvez donner que des permissions que vous détenez vous-même.',
  },
  notYoursEither: {
    en: 'You can only give or take permissions that you hold yourself.',
    fr: 'Vous ne pouvez donner ou retirer que des permissions que vous détenez vous-même.',
  },
  holdsMore: {
    en: 'This person holds permissions that you do not hold.',
    fr: 'Cette personne détient des permissions que vous ne détenez pas.',
  },
  roleHoldsMore: {
    en: 'This role holds permissions that you do not hold.',
    fr: 'Ce rôle détient des permissions que vous ne détenez pas.',
  },
  limitSet: { en: 'Limit of approval saved', fr: 'Plafond d’approbation enregistré' },
  ownLimit: {
    en: 'You cannot set your own limit. Another administrator must.',
    fr: 'Vous ne pouvez pas fixer votre propre plafond. Un autre administrateur doit le faire.',
  },
  limitAboveYours: {
    en: 'Your own limit is {0,number} XOF, so you cannot give a higher one.',
    fr: 'Votre propre plafond est de {0,number} F CFA : vous ne pouvez pas en donner un plus élevé.',
  },
  approvesMore: {
    en: 'Your own limit is {0,number} XOF, and with this somebody could approve more. Give them a limit first, or leave it to somebody without a limit.',
    fr: 'Votre propre plafond est de {0,number} F CFA, et quelqu’un pourrait ainsi approuver davantage. Fixez-lui d’abord un plafond, ou laissez faire quelqu’un qui n’en a pas.',
  },
  notYourself: {
    en: 'You cannot deactivate yourself.',
    fr: 'Vous ne pouvez pas vous désactiver vous-même.',
  },
  ownAdministrator: {
    en: 'You cannot take the administrator role away from yourself.',
    fr: 'Vous ne pouvez pas vous retirer le rôle d’administrateur.',
  },
  lastAdministrator: {
    en: 'The portal needs an active administrator: this is the last one.',
    fr: 'Le portail a besoin d’un administrateur actif : c’est le dernier.',
  },
  roleCreated: { en: 'Role created', fr: 'Rôle créé' },
  roleUpdated: { en: 'Role updated', fr: 'Rôle mis à jour' },
  roleDeleted: { en: 'Role deleted', fr: 'Rôle supprimé' },
  permissionsAssigned: { en: 'Permissions assigned', fr: 'Permissions attribuées' },
  roleNameTaken: {
    en: 'There is a role of this name already.',
    fr: 'Un rôle porte déjà ce nom.',
  },
  administratorStays: {
    en: 'The administrator role cannot be deleted.',
    fr: 'Le rôle d’administrateur ne peut pas être supprimé.',
  },
  administratorWhole: {
    en: 'The administrator role holds every permission, and keeps them.',
    fr: 'Le rôle d’administrateur détient toutes les permissions, et les garde.',
  },
  resetSent: {
    en: 'If there is an account with this e-mail address, a link to set a new password is on its way.',
    fr: 'Si un compte existe pour cette adresse e-mail, un lien pour définir un nouveau mot de passe est en route.',
  },
  linkOver: {
    en: 'This link was used already, or its time is over. Ask for a new one.',
    fr: 'Ce lien a déjà servi, ou a expiré. Demandez-en un nouveau.',
  },
  passwordSet: {
    en: 'Your password is set. Sign in with it.',
    fr: 'Votre mot de passe est défini. Connectez-vous.',
  },
  passwordChanged: {
    en: 'Password changed. Your other sessions are signed out.',
    fr: 'Mot de passe modifié. Vos autres sessions sont déconnectées.',
  },
  passwordWrong: { en: 'The password is not right.', fr: 'Le mot de passe est incorrect.' },
  signInOver: {
    en: 'This sign-in took too long. Begin it again.',
    fr: 'Cette connexion a pris trop de temps. Recommencez-la.',
  },
  sessionEnded: { en: 'That session is signed out.', fr: 'Cette session est déconnectée.' },
  sessionsEnded: { en: 'Sessions signed out: {0}', fr: 'Sessions déconnectées : {0}' },
  totpStarted: {
    en: 'Scan the code with your authenticator, then write the six digits it shows.',
    fr: 'Scannez le code avec votre application d’authentification, puis saisissez les six chiffres affichés.',
  },
  totpOn: {
    en: 'One-time codes are on, and your other sessions are signed out. Keep the recovery codes in a safe place.',
    fr: 'Les codes à usage unique sont activés, et vos autres sessions sont déconnectées. Conservez les codes de récupération en lieu sûr.',
  },
  totpOff: { en: 'One-time codes are off.', fr: 'Les codes à usage unique sont désactivés.' },
  totpAlready: {
    en: 'One-time codes are on already.',
    fr: 'Les codes à usage unique sont déjà activés.',
  },
  totpStays: {
    en: 'A role of yours asks for one-time codes, so they stay on. With a new phone, sign in with a recovery code, or ask an administrator to turn them off.',
    fr: 'L’un de vos rôles exige des codes à usage unique : ils restent donc activés. Avec un nouveau téléphone, connectez-vous avec un code de récupération, ou demandez à un administrateur de les désactiver.',
  },
  codesRenewed: {
    en: 'These are your recovery codes now. The earlier ones no longer work.',
    fr: 'Voici vos nouveaux codes de récupération. Les précédents ne fonctionnent plus.',
  },
  totpIsOff: {
    en: 'One-time codes are off: set them up, and you get recovery codes with them.',
    fr: 'Les codes à usage unique sont désactivés : activez-les pour obtenir des codes de récupération.',
  },
  totpNotStarted: {
    en: 'Start setting up one-time codes first.',
    fr: 'Commencez d’abord la configuration des codes à usage unique.',
  },
} satisfies Record<string, Text>
