import type { Text } from '@portal/contracts/sentences'

/** The sentences on limits of approvers. */
export const say = {
  aboveLimit: {
    en: 'You may approve {0,number} XOF at once, and this is {1,number}. {2} may approve it.',
    fr: 'Vous pouvez approuver {0,number} F CFA à la fois, et ceci fait {1,number}. Peuvent l’approuver : {2}.',
  },
  aboveEveryLimit: {
    en: 'You may approve {0,number} XOF at once, and this is {1,number}. Nobody else may approve it: ask an administrator for a higher limit.',
    fr: 'Vous pouvez approuver {0,number} F CFA à la fois, et ceci fait {1,number}. Personne d’autre ne peut l’approuver : demandez un plafond plus élevé à un administrateur.',
  },
} satisfies Record<string, Text>
