import type { StateSteps } from './step.ts'

export const statementSteps = {
  queued: null,
  reading: null,
  open: {
    why: {
      en: 'The statement counts once a second person has signed it.',
      fr: 'Le relevé compte une fois signé par une deuxième personne.',
    },
    by: 'statements.sign',
    can: {
      en: 'Once each difference is resolved, sign it.',
      fr: 'Une fois chaque écart résolu, signez-le.',
    },
    ask: {
      en: 'Once each difference is resolved, ask an approver to sign it.',
      fr: 'Une fois chaque écart résolu, demandez à un approbateur de le signer.',
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
} satisfies StateSteps
