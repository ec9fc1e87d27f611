import type { Text } from '@portal/contracts/sentences'

/** What waits for a second person, by kind. `{0}` is the name of the cohort, agency or parameter. */
export const waitsSentences = {
  cohort: { en: 'Cohort "{0}" waits for approval.', fr: 'La cohorte « {0} » attend une approbation.' },
  correction: {
    en: 'Cohort "{0}": a correction of a recipient waits for approval.',
    fr: 'Cohorte « {0} » : la correction d’un destinataire attend une approbation.',
  },
  settlement: {
    en: 'Cohort "{0}": the settlement of a payment waits for approval.',
    fr: 'Cohorte « {0} » : le règlement d’un paiement attend une approbation.',
  },
  move: {
    en: 'Cohort "{0}": a move to another agency waits for approval.',
    fr: 'Cohorte « {0} » : un changement d’agence attend une approbation.',
  },
  agency: {
    en: 'A change of the agency "{0}" waits for a second person.',
    fr: 'Une modification de l’agence « {0} » attend une seconde personne.',
  },
  budget: {
    en: 'A budget of "{0}" waits for a second person.',
    fr: 'Un budget de « {0} » attend une seconde personne.',
  },
  statement: {
    en: 'A statement of "{0}" waits to be signed.',
    fr: 'Un relevé de « {0} » attend une signature.',
  },
} satisfies Record<string, Text>

/** Around the sentence of what waits. */
export const reminder: Text = {
  en: 'Reminder: {0} It has waited for two days.',
  fr: 'Rappel : {0} Cela attend depuis deux jours.',
}
