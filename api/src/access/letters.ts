import type { Locale, Text } from '@portal/contracts/sentences'
import { fill } from '@portal/contracts/sentences'

/** An e-mail with a link. The link has its own line, so that mail programs do not break it. */
type Letter = { subject: Text; body: Text }

/** Parts: `{0}` the person's name, `{1}` the link, `{2}` who invited. */
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
} satisfies Record<string, Letter>

/** Writes the e-mail in the person's language, or in both languages if the person has not chosen one. */
export function writeLetter(letter: Letter, locale: Locale | null, ...parts: string[]) {
  const locales: Locale[] = locale ? [locale] : ['fr', 'en']
  return {
    subject: locales.map((one) => letter.subject[one]).join(' / '),
    body: locales.map((one) => fill(letter.body, one, ...parts)).join('\n\n---\n\n'),
  }
}
