import type { StateSteps } from './step.ts'

export const nameCheckSteps = {
  running: null,
  failed: {
    why: { en: 'Answers that came are kept.', fr: 'Les réponses reçues sont conservées.' },
    by: 'cohorts.create',
    can: {
      en: 'Start the check again later; it goes on from them.',
      fr: 'Relancez la vérification plus tard ; elle reprendra à ce point.',
    },
    ask: {
      en: 'Ask an officer to start the check again later.',
      fr: 'Demandez à un chargé des transferts de relancer la vérification plus tard.',
    },
  },
  cancelled: null,
  finished: null,
} satisfies StateSteps
