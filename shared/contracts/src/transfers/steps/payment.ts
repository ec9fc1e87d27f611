import type { StateSteps } from './step.ts'
import { decides } from './waiting.ts'

export const exceptionSteps = {
  open: {
    why: {
      en: 'An agency answered, or its statement says, something that does not agree with our order. That changes nothing by itself.',
      fr: 'La réponse ou le relevé d’une agence ne concorde pas avec notre ordre. Cela ne change rien en soi.',
    },
    by: 'cohorts.approve',
    can: {
      en: 'Compare both with the agency, then decide.',
      fr: 'Comparez les deux avec l’agence, puis décidez.',
    },
    ask: {
      en: 'Compare both with the agency, and ask an approver to decide.',
      fr: 'Comparez les deux avec l’agence, et demandez la décision à un approbateur.',
    },
  },
  closed: null,
} satisfies StateSteps

export const correctionSteps = {
  proposed: decides({
    en: 'Check the new values with the family, then approve or refuse it.',
    fr: 'Vérifiez les nouvelles valeurs auprès de la famille, puis approuvez ou refusez.',
  }),
  approved: null,
  refused: null,
} satisfies StateSteps

export const settlementSteps = {
  proposed: decides({
    en: 'Look at the evidence, then approve or refuse it.',
    fr: 'Examinez le justificatif, puis approuvez ou refusez.',
  }),
  approved: null,
  refused: null,
  answered: null,
} satisfies StateSteps
