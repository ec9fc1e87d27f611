import { sendingSteps } from './sending-steps.ts'
import type { StateStep } from './state-step.ts'
import type { Text } from './text.ts'

const secondPerson: Text = {
  en: 'It waits for a second person.',
  fr: 'Il faut une deuxième personne.',
}
const decides = (can: Text): StateStep => ({
  why: secondPerson,
  by: 'cohorts.approve',
  can,
  ask: {
    en: 'Ask an approver who did not propose it.',
    fr: 'Demandez à un approbateur qui ne l’a pas proposé.',
  },
})

/**
 * What the screens say about each state of a transfer. null: it goes on by itself or has ended well. Payments have
 * sentences of their own (`next_step`). A test of the api compares this table with the ways out of every state.
 */
export const stateSteps = {
  ...sendingSteps,
  statement: {
    queued: null,
    reading: null,
    open: {
      why: {
        en: 'It counts once a second person has signed it.',
        fr: 'Il compte une fois signé par une deuxième personne.',
      },
      by: 'statements.sign',
      can: {
        en: 'Once each difference is resolved, sign it.',
        fr: 'Une fois chaque différence résolue, signez-le.',
      },
      ask: {
        en: 'Once each difference is resolved, ask an approver to sign it.',
        fr: 'Une fois chaque différence résolue, demandez à un approbateur de le signer.',
      },
    },
    closed: null,
    withdrawn: {
      why: { en: 'It was withdrawn and counts for nothing.', fr: 'Il a été retiré et ne compte plus.' },
      by: 'statements.import',
      can: {
        en: 'Its file, or a better one, can be uploaded again.',
        fr: 'Son fichier, ou un meilleur, peut être importé à nouveau.',
      },
      ask: {
        en: 'Ask an officer to upload it again if it is needed.',
        fr: 'S’il est nécessaire, demandez à un chargé des transferts de l’importer à nouveau.',
      },
    },
    failed: {
      why: { en: 'Nothing of the file was stored.', fr: 'Rien du fichier n’a été enregistré.' },
      by: 'statements.import',
      can: {
        en: 'Correct the file and upload it again.',
        fr: 'Corrigez le fichier et importez-le à nouveau.',
      },
      ask: {
        en: 'Ask an officer to correct the file and upload it again.',
        fr: 'Demandez à un chargé des transferts de corriger le fichier et de l’importer à nouveau.',
      },
    },
  },
  exception: {
    open: {
      why: {
        en: 'An agency answered something that does not agree with our order. Such an answer changes nothing.',
        fr: 'Une agence a répondu autre chose que notre ordre. Une telle réponse ne change rien.',
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
  },
  correction: {
    proposed: decides({
      en: 'Check the new values with the family, then approve or refuse it.',
      fr: 'Vérifiez les nouvelles valeurs auprès de la famille, puis approuvez ou refusez.',
    }),
    approved: null,
    refused: null,
  },
  settlement: {
    proposed: decides({
      en: 'Look at the evidence, then approve or refuse it.',
      fr: 'Examinez le justificatif, puis approuvez ou refusez.',
    }),
    approved: null,
    refused: null,
    answered: null,
  },
  'move to another agency': {
    proposed: decides({
      en: 'Look at it, then approve or refuse it.',
      fr: 'Examinez-le, puis approuvez ou refusez.',
    }),
    approved: null,
    refused: null,
  },
  budget: {
    proposed: decides({ en: 'Confirm or refuse it.', fr: 'Confirmez ou refusez.' }),
    confirmed: null,
    refused: null,
  },
  'change of an agency': {
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
  },
  agency: {
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
  },
} satisfies Record<string, Record<string, StateStep | null>>

/** What has states with steps. */
export type SteppedThing = keyof typeof stateSteps
