import type { StateSteps } from './step.ts'

export const sendingHoldSteps = {
  held: {
    why: {
      en: 'Nothing is sent for any cohort until the agencies were asked.',
      fr: 'Rien n’est envoyé, pour aucune cohorte, avant que les agences aient été interrogées.',
    },
    by: 'cohorts.approve',
    can: {
      en: 'Look at the differences, then release the payments.',
      fr: 'Examinez les différences, puis rétablissez l’envoi.',
    },
    ask: {
      en: 'Ask an approver to release the payments.',
      fr: 'Demandez à un approbateur de rétablir l’envoi.',
    },
  },
  released: null,
} satisfies StateSteps

export const heldRoundSteps = {
  asked: null,
  not_askable: {
    why: {
      en: 'The portal cannot learn what the agency did.',
      fr: 'Le portail ne peut pas savoir ce que l’agence a fait.',
    },
    by: 'cohorts.approve',
    can: {
      en: 'Ask the agency by another way, then confirm the round.',
      fr: 'Interrogez l’agence par une autre voie, puis confirmez le tour.',
    },
    ask: {
      en: 'Ask an approver to confirm the round with the agency.',
      fr: 'Demandez à un approbateur de confirmer le tour auprès de l’agence.',
    },
  },
  known: null,
} satisfies StateSteps

export const payeeHoldSteps = {
  open: {
    why: {
      en: 'Each of them is not paid until she is released. Everybody else on her lists is.',
      fr: 'Chacune n’est pas payée tant qu’elle n’est pas débloquée. Toutes les autres de ses listes le sont.',
    },
    by: 'cohorts.approve',
    can: { en: 'Release her when the reason has gone.', fr: 'Débloquez-la quand le motif a disparu.' },
    ask: {
      en: 'When the reason has gone, ask an approver to release her.',
      fr: 'Quand le motif a disparu, demandez à un approbateur de la débloquer.',
    },
  },
  ended: null,
} satisfies StateSteps
