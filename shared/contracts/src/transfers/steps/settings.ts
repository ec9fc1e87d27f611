import type { StateSteps } from './step.ts'
import { decides, secondPerson } from './waiting.ts'

export const budgetSteps = {
  proposed: decides({ en: 'Confirm or refuse it.', fr: 'Confirmez ou refusez.' }),
  confirmed: null,
  refused: null,
} satisfies StateSteps

export const agencyChangeSteps = {
  proposed: {
    why: secondPerson,
    by: 'agencies.update',
    can: {
      en: 'If you did not propose it, confirm or refuse it.',
      fr: 'Si vous ne l’avez pas proposé, confirmez ou refusez.',
    },
    ask: {
      en: 'Ask an administrator who did not propose it.',
      fr: 'Demandez à un administrateur qui ne l’a pas proposé.',
    },
  },
  confirmed: null,
  refused: null,
} satisfies StateSteps

export const agencySteps = {
  active: null,
  inactive: {
    why: {
      en: 'Nothing is uploaded or approved for an inactive agency.',
      fr: 'Rien n’est importé ni approuvé pour une agence inactive.',
    },
    by: 'agencies.update',
    can: { en: 'Activate it to use it.', fr: 'Activez-la pour l’utiliser.' },
    ask: { en: 'Ask an administrator to activate it.', fr: 'Demandez à un administrateur de l’activer.' },
  },
} satisfies StateSteps
