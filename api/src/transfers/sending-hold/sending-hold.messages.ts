import type { Text } from '@portal/contracts/sentences'

/** The sentences about holds. */
export const say = {
  holdRaised: {
    en: 'Sending is held for all cohorts. {0}',
    fr: 'L’envoi est suspendu pour toutes les cohortes. {0}',
  },
  holdSubject: { en: 'Payments are on hold', fr: 'Les paiements sont suspendus' },
  holdLetter: {
    en: 'Sending is held for all cohorts. {0}\n\nThe agencies are being asked what became of every open payment. Somebody who may approve cohorts looks at the differences and releases sending here:\n\n{1}',
    fr: 'L’envoi est suspendu pour toutes les cohortes. {0}\n\nLes agences sont interrogées sur chaque paiement en cours. Une personne qui peut approuver les cohortes examine les différences et rétablit l’envoi ici :\n\n{1}',
  },
  noHold: { en: 'Sending is not held.', fr: 'L’envoi n’est pas suspendu.' },
  roundIsAsked: {
    en: 'The agency is asked about this round, or it was confirmed before.',
    fr: 'L’agence est interrogée sur ce tour, ou il a déjà été confirmé.',
  },
  roundConfirmed: { en: 'The round is confirmed.', fr: 'Le tour est confirmé.' },
  holdNotAsked: {
    en: 'Payments that were not asked about yet: {0,number}. Wait, or confirm the rounds whose agency does not answer.',
    fr: 'Paiements sur lesquels l’agence n’a pas encore été interrogée : {0,number}. Attendez, ou confirmez les tours dont l’agence ne répond pas.',
  },
  holdReading: {
    en: 'The agencies’ own lists are still being read.',
    fr: 'Les listes des agences sont encore en cours de lecture.',
  },
  holdFourEyes: {
    en: 'You uploaded or changed a list that is being paid, its agency or its parameter, so somebody else must release sending.',
    fr: 'Vous avez envoyé ou modifié une liste en cours de paiement, son agence ou son paramètre : une autre personne doit rétablir l’envoi.',
  },
  holdReleased: {
    en: 'Sending goes on. Missed rounds: {0}.',
    fr: 'L’envoi reprend. Tours manqués : {0}.',
  },
} satisfies Record<string, Text>
