import type { Text } from '../text.ts'
import type { HeldRound } from './sending-hold.ts'

/** The reasons of a hold, for the banner, the notification and the e-mail. */
export const holdReasonWords = {
  behind: {
    en: 'The database is older than what was sent from it: a backup was restored.',
    fr: 'La base de données est plus ancienne que ce qui a été envoyé : une sauvegarde a été restaurée.',
  },
  timeline: {
    en: 'Another database server took over, and the last payments may be missing from it.',
    fr: 'Un autre serveur de base de données a pris le relais ; les derniers paiements peuvent y manquer.',
  },
  server: {
    en: 'The database now stands on another server.',
    fr: 'La base de données se trouve désormais sur un autre serveur.',
  },
  mark_missing: {
    en: 'The mark that is kept outside of the database is gone.',
    fr: 'Le repère conservé en dehors de la base de données a disparu.',
  },
  mark_unreadable: {
    en: 'The mark that is kept outside of the database was changed or damaged.',
    fr: 'Le repère conservé en dehors de la base de données a été modifié ou endommagé.',
  },
  absence: {
    en: 'No worker was running for more than a day.',
    fr: 'Aucun processus de paiement n’a fonctionné pendant plus d’un jour.',
  },
  clock: {
    en: 'The clock of the database jumped.',
    fr: 'L’horloge de la base de données a fait un saut.',
  },
  moved: {
    en: 'An agency had moved to another address or account, and this database knows only the one before.',
    fr: 'Une agence avait changé d’adresse ou de compte, et cette base de données ne connaît que les précédents.',
  },
} satisfies Record<string, Text>
export type HoldReason = keyof typeof holdReasonWords

/** Why an agency has not said what became of a round, in words. */
export const heldRoundWords: Record<NonNullable<HeldRound['failure']>, Text> = {
  cannot_ask: { en: 'cannot be asked', fr: 'ne peut pas être interrogée' },
  unreachable: { en: 'does not answer', fr: 'ne répond pas' },
  moved: { en: 'had moved', fr: 'avait changé d’adresse' },
}
