import type { StateStep } from './state-step.ts'

/** The steps of lists and of what is sent for them. */
export const sendingSteps = {
  cohort: {
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
  },
  round: {
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
  },
  'import of a list': {
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
  },
  'hold of sending': {
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
  },
  'round of a hold of sending': {
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
  },
  'file for a bank': {
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
  },
  'check of names': {
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
  },
  'hold of a payee': {
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
  },
} satisfies Record<string, Record<string, StateStep | null>>
