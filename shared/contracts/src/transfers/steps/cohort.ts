import type { StateSteps } from './step.ts'
import { decides } from './waiting.ts'

export const cohortSteps = {
  pending: {
    why: {
      en: 'Nothing is paid before the list is approved.',
      fr: 'Rien n’est payé avant l’approbation de la liste.',
    },
    by: 'cohorts.approve',
    can: {
      en: 'Check its figures, then approve or reject it.',
      fr: 'Vérifiez ses chiffres, puis approuvez-la ou rejetez-la.',
    },
    ask: { en: 'Ask an approver to decide.', fr: 'Demandez la décision à un approbateur.' },
  },
  approved: null,
  error: {
    why: {
      en: 'Nothing more is sent until it is approved again.',
      fr: 'Plus rien n’est envoyé jusqu’à une nouvelle approbation.',
    },
    by: 'cohorts.approve',
    can: {
      en: 'Once the cause is cured, retry the approval.',
      fr: 'Une fois la cause réglée, relancez l’approbation.',
    },
    ask: {
      en: 'Once the cause is cured, ask an approver to retry the approval.',
      fr: 'Une fois la cause réglée, demandez à un approbateur de relancer l’approbation.',
    },
  },
  stopped: {
    why: {
      en: 'An approver stopped the payments. Nothing more is sent.',
      fr: 'Un approbateur a arrêté les paiements. Plus rien n’est envoyé.',
    },
    by: 'cohorts.approve',
    can: {
      en: 'Resume the payments, or close the cohort for good.',
      fr: 'Reprenez les paiements, ou clôturez la cohorte définitivement.',
    },
    ask: {
      en: 'Ask an approver to resume the payments.',
      fr: 'Demandez à un approbateur de reprendre les paiements.',
    },
  },
  not_progressing: {
    why: { en: 'The agency settles nothing.', fr: 'L’agence ne règle rien.' },
    by: 'cohorts.approve',
    can: {
      en: 'Ask the agency what is wrong; stop the payments if nothing more should leave meanwhile.',
      fr: 'Demandez à l’agence ce qui ne va pas ; arrêtez les paiements si plus rien ne doit partir d’ici là.',
    },
    ask: {
      en: 'Ask the agency what is wrong, and an approver to stop the payments if nothing more should leave meanwhile.',
      fr: 'Demandez à l’agence ce qui ne va pas, et à un approbateur d’arrêter les paiements si plus rien ne doit partir d’ici là.',
    },
  },
  rejected: {
    why: { en: 'Nothing of this list can be paid.', fr: 'Rien de cette liste ne peut être payé.' },
    by: 'cohorts.create',
    can: {
      en: 'Upload a better list as a new cohort.',
      fr: 'Importez une meilleure liste comme nouvelle cohorte.',
    },
    ask: {
      en: 'Ask an officer to upload a better list as a new cohort.',
      fr: 'Demandez à un chargé des transferts d’importer une meilleure liste comme nouvelle cohorte.',
    },
  },
  closed: null,
} satisfies StateSteps

export const listImportSteps = {
  queued: null,
  reading: null,
  review: {
    why: {
      en: 'Its rows are read and nothing is stored yet.',
      fr: 'Ses lignes sont lues, mais rien n’est encore enregistré.',
    },
    by: 'cohorts.create',
    can: {
      en: 'Look at the rows, then confirm or cancel the import.',
      fr: 'Vérifiez les lignes, puis confirmez ou annulez l’importation.',
    },
    ask: { en: 'Ask the officer who uploaded it.', fr: 'Demandez à la personne qui l’a importée.' },
  },
  importing: null,
  imported: null,
  failed: {
    why: { en: 'Nothing of the file was stored.', fr: 'Rien du fichier n’a été enregistré.' },
    by: 'cohorts.create',
    can: {
      en: 'Correct the file and upload it again.',
      fr: 'Corrigez le fichier et importez-le à nouveau.',
    },
    ask: {
      en: 'Ask an officer to correct the file and upload it again.',
      fr: 'Demandez à un chargé des transferts de corriger le fichier et de l’importer à nouveau.',
    },
  },
  cancelled: null,
} satisfies StateSteps

export const moveSteps = {
  proposed: decides({
    en: 'Look at it, then approve or refuse it.',
    fr: 'Examinez-le, puis approuvez ou refusez.',
  }),
  approved: null,
  refused: null,
} satisfies StateSteps
