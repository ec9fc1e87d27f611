import type { Text } from '@portal/contracts/sentences'

/** The sentences about names at the agency. */
export const say = {
  started: {
    en: 'The agency is being asked about the names. You may leave the page.',
    fr: 'L’agence est interrogée sur les noms. Vous pouvez quitter la page.',
  },
  cancelled: {
    en: 'The check was cancelled. Answers that came are kept.',
    fr: 'La vérification est annulée. Les réponses reçues sont conservées.',
  },
  notOffered: {
    en: 'This agency does not tell whose number it is, so names cannot be checked with it.',
    fr: 'Cette agence n’indique pas à qui appartient un numéro : les noms ne peuvent pas y être vérifiés.',
  },
  notImported: {
    en: 'The list is not imported yet. Check its names when it is.',
    fr: 'La liste n’est pas encore importée. Vérifiez les noms une fois l’import terminé.',
  },
  ended: {
    en: 'Nothing more is paid from this list, so its names are not checked.',
    fr: 'Plus rien n’est payé d’après cette liste : ses noms ne sont pas vérifiés.',
  },
  inactive: {
    en: 'The agency is deactivated, so it is not asked.',
    fr: 'L’agence est désactivée : elle n’est pas interrogée.',
  },
  running: {
    en: 'The names of this list are being checked already. Wait, or cancel the check first.',
    fr: 'Les noms de cette liste sont déjà en cours de vérification. Attendez, ou annulez-la d’abord.',
  },
  notRunning: {
    en: 'No check of this list is running.',
    fr: 'Aucune vérification de cette liste n’est en cours.',
  },
} satisfies Record<string, Text>

/** Why a check failed, and what to do. */
export const problems = {
  refused: {
    en: 'The agency refused our credentials. Tell the administrators, then check again.',
    fr: 'L’agence a refusé nos identifiants. Prévenez les administrateurs, puis relancez la vérification.',
  },
  no_answer: {
    en: 'The agency stopped answering. Check again later: names that it has answered are not asked again.',
    fr: 'L’agence ne répond plus. Relancez plus tard : les noms déjà vérifiés ne sont pas redemandés.',
  },
  not_offered: say.notOffered,
} satisfies Record<string, Text>
