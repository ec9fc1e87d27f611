import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import { sendMail } from '../home/mail.service.ts'
import type { Tx } from '../kit/database/db.ts'
import type { Settings } from '../kit/process/settings.ts'

/** An e-mail about an account. A link has its own line, so that mail programs do not break it. */
type Letter = { subject: Text; body: Text }

/** Parts: `{0}` the person's name, `{1}` the link, `{2}` who invited. A letter that reports a change has no link. */
export const letters = {
  invitation: {
    subject: { en: 'Your account on the portal', fr: 'Votre compte sur le portail' },
    body: {
      en: 'Hello {0},\n\n{2} has made an account for you on the portal. Choose your password here:\n\n{1}\n\nThe link works once, within 7 days. If it is over, ask for a new one under “Forgot password?” on the sign-in page.',
      fr: 'Bonjour {0},\n\n{2} vous a créé un compte sur le portail. Choisissez votre mot de passe ici :\n\n{1}\n\nLe lien fonctionne une seule fois, pendant 7 jours. S’il a expiré, demandez-en un nouveau sous « Mot de passe oublié ? » sur la page de connexion.',
    },
  },
  reset: {
    subject: { en: 'A new password for the portal', fr: 'Un nouveau mot de passe pour le portail' },
    body: {
      en: 'Hello {0},\n\nSomebody, probably you, asked for a new password for your account on the portal. Choose it here:\n\n{1}\n\nThe link works once, within 60 minutes. If it was not you, there is nothing to do: your password stays as it is.',
      fr: 'Bonjour {0},\n\nQuelqu’un, sans doute vous, a demandé un nouveau mot de passe pour votre compte sur le portail. Choisissez-le ici :\n\n{1}\n\nLe lien fonctionne une seule fois, pendant 60 minutes. Si ce n’était pas vous, il n’y a rien à faire : votre mot de passe reste inchangé.',
    },
  },
  passwordChanged: {
    subject: {
      en: 'Your password for the portal was changed',
      fr: 'Votre mot de passe du portail a été modifié',
    },
    body: {
      en: 'Hello {0},\n\nThe password of your account on the portal was changed, and its other sessions were signed out.\n\nIf it was not you, ask for a new password under “Forgot password?” on the sign-in page, and tell an administrator.',
      fr: 'Bonjour {0},\n\nLe mot de passe de votre compte sur le portail a été modifié, et ses autres sessions ont été déconnectées.\n\nSi ce n’était pas vous, demandez un nouveau mot de passe sous « Mot de passe oublié ? » sur la page de connexion, et prévenez un administrateur.',
    },
  },
  codesOn: {
    subject: {
      en: 'One-time codes are on for your account',
      fr: 'Les codes à usage unique sont activés pour votre compte',
    },
    body: {
      en: 'Hello {0},\n\nYour account on the portal asks for one-time codes from now on, and its other sessions were signed out.\n\nIf it was not you, tell an administrator at once: somebody else was at your account.',
      fr: 'Bonjour {0},\n\nVotre compte sur le portail demande désormais des codes à usage unique, et ses autres sessions ont été déconnectées.\n\nSi ce n’était pas vous, prévenez aussitôt un administrateur : quelqu’un d’autre a utilisé votre compte.',
    },
  },
  codesOff: {
    subject: {
      en: 'One-time codes are off for your account',
      fr: 'Les codes à usage unique sont désactivés pour votre compte',
    },
    body: {
      en: 'Hello {0},\n\nYour account on the portal no longer asks for one-time codes. You, or an administrator for a lost phone, turned them off.\n\nIf neither of you did, tell an administrator at once: somebody else was at your account.',
      fr: 'Bonjour {0},\n\nVotre compte sur le portail ne demande plus de codes à usage unique. Vous les avez désactivés, ou un administrateur l’a fait pour un téléphone perdu.\n\nSi ce n’était ni vous ni lui, prévenez aussitôt un administrateur : quelqu’un d’autre a utilisé votre compte.',
    },
  },
  newRecoveryCodes: {
    subject: {
      en: 'New recovery codes for your account',
      fr: 'De nouveaux codes de récupération pour votre compte',
    },
    body: {
      en: 'Hello {0},\n\nYour account on the portal has new recovery codes. The earlier ones no longer work.\n\nIf it was not you, tell an administrator at once: somebody else was at your account.',
      fr: 'Bonjour {0},\n\nVotre compte sur le portail a de nouveaux codes de récupération. Les précédents ne fonctionnent plus.\n\nSi ce n’était pas vous, prévenez aussitôt un administrateur : quelqu’un d’autre a utilisé votre compte.',
    },
  },
} satisfies Record<string, Letter>

/** Writes the e-mail in the person's language, or in both languages if the person has not chosen one. */
export function writeLetter(letter: Letter, locale: Locale | null, ...parts: string[]) {
  const locales: Locale[] = locale ? [locale] : ['fr', 'en']
  return {
    subject: locales.map((one) => letter.subject[one]).join(' / '),
    body: locales.map((one) => fill(letter.body, one, ...parts)).join('\n\n---\n\n'),
  }
}

/**
 * Tells a person by mail what happened to their account, so that they notice what somebody else did. The caller has locked the
 * account, and the letter goes to the address of now: somebody may have changed it since the call began.
 */
export async function sendReport(tx: Tx, settings: Settings, userId: number, letter: Letter) {
  const { email, locale, ...named } = await tx
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email', 'locale'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (!email) return
  const name = `${named.first_name} ${named.last_name}`
  await sendMail(tx, settings, { recipient: email, ...writeLetter(letter, locale, name) })
}
