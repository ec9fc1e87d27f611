import type { Text } from '@portal/contracts/sentences'

/** The sentences about writing off failed payments. */
export const say = {
  writtenOff: {
    en: 'Payments that were written off: {0}',
    fr: 'Paiements passés en perte : {0}',
  },
  noneWrittenOff: {
    en: 'Nothing was written off: {0} of {1} chosen payments cannot be.',
    fr: 'Rien n’a été passé en perte : {0} des {1} paiements choisis ne peuvent pas l’être.',
  },
} satisfies Record<string, Text>
