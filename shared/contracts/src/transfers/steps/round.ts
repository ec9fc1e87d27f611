import type { StateSteps } from './step.ts'

export const roundSteps = {
  scheduled: null,
  missed: {
    why: {
      en: 'Its day passed and nothing could be sent.',
      fr: 'Son jour est passé sans que rien ait pu être envoyé.',
    },
    by: 'cohorts.approve',
    can: { en: 'Start it by hand.', fr: 'Lancez-le à la main.' },
    ask: { en: 'Ask an approver to start it.', fr: 'Demandez à un approbateur de le lancer.' },
  },
  perhaps_paid: {
    why: {
      en: 'It may have been paid before sending was held, and the portal cannot ask its agency.',
      fr: 'Il a peut-être été payé avant la suspension de l’envoi, et le portail ne peut pas interroger son agence.',
    },
    by: 'cohorts.approve',
    can: {
      en: 'Ask the agency, then start it and say what it answered.',
      fr: 'Interrogez l’agence, puis lancez-le en indiquant sa réponse.',
    },
    ask: {
      en: 'Ask an approver to ask the agency and start it.',
      fr: 'Demandez à un approbateur d’interroger l’agence et de le lancer.',
    },
  },
  held: {
    why: { en: 'Sending is held for all cohorts.', fr: 'L’envoi est suspendu pour toutes les cohortes.' },
    by: 'cohorts.approve',
    can: {
      en: 'Release the payments under Held payments.',
      fr: 'Rétablissez l’envoi sous Paiements suspendus.',
    },
    ask: {
      en: 'Ask an approver to release the payments.',
      fr: 'Demandez à un approbateur de rétablir l’envoi.',
    },
  },
  made: null,
  not_made: null,
} satisfies StateSteps

export const bankFileSteps = {
  sent: {
    why: {
      en: 'What is in a file counts as sent until the bank says more.',
      fr: 'Le contenu d’un fichier compte comme envoyé tant que la banque n’a rien dit de plus.',
    },
    by: 'statements.import',
    can: {
      en: 'Upload the bank’s answer here, or its statement.',
      fr: 'Importez ici la réponse de la banque, ou son relevé.',
    },
    ask: {
      en: 'Ask an officer to upload the bank’s answer or statement.',
      fr: 'Demandez à un chargé des transferts d’importer la réponse ou le relevé de la banque.',
    },
  },
  settled: null,
} satisfies StateSteps
