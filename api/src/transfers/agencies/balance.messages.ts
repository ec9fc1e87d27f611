import type { Text } from '@portal/contracts/sentences'

/** Why the balance of an agency is not known. */
export const say = {
  notTold: {
    en: 'This agency does not tell its balance. Look at its own page before you approve.',
    fr: 'Cette agence n’indique pas son solde. Consultez son propre site avant d’approuver.',
  },
  refused: {
    en: 'The agency refused our credentials, so its balance is not known. Tell the administrators.',
    fr: 'L’agence a refusé nos identifiants : son solde n’est pas connu. Prévenez les administrateurs.',
  },
  noAnswer: {
    en: 'The agency did not answer in time, so its balance is not known. Ask again.',
    fr: 'L’agence n’a pas répondu à temps : son solde n’est pas connu. Demandez encore une fois.',
  },
} satisfies Record<string, Text>
