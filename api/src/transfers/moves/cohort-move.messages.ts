import type { Text } from '@portal/contracts/sentences'

/** The sentences about moving a cohort to another agency. */
export const say = {
  proposed: {
    en: 'The move waits for the approval of a second person. Until then the present agency goes on paying.',
    fr: 'Le changement attend l’approbation d’une deuxième personne. D’ici là, l’agence actuelle continue de payer.',
  },
  approved: {
    en: 'The cohort is paid through the other agency from now on.',
    fr: 'La cohorte est désormais payée par l’autre agence.',
  },
  approvedInError: {
    en: 'The cohort is moved to the other agency. Retry its approval to send the payments.',
    fr: 'La cohorte est confiée à l’autre agence. Reprenez son envoi pour envoyer les paiements.',
  },
  refused: {
    en: 'The move is refused. The cohort stays with its agency.',
    fr: 'Le changement est refusé. La cohorte reste avec son agence.',
  },
  withdrawn: {
    en: 'The move is withdrawn. The cohort stays with its agency.',
    fr: 'Le changement est retiré. La cohorte reste avec son agence.',
  },
  notOwn: {
    en: 'Somebody else proposed this move. They can withdraw it, and an approver can refuse it.',
    fr: 'Une autre personne a proposé ce changement. Elle peut le retirer, et un approbateur peut le refuser.',
  },
  waits: {
    en: 'A move of this cohort waits for its decision already. Reload the page.',
    fr: 'Un changement d’agence de cette cohorte attend déjà une décision. Rechargez la page.',
  },
  decided: {
    en: 'Somebody has decided on this move already. Reload the page.',
    fr: 'Quelqu’un a déjà décidé de ce changement. Rechargez la page.',
  },
  own: {
    en: 'You proposed this move, so somebody else must approve it.',
    fr: 'Vous avez proposé ce changement : une autre personne doit l’approuver.',
  },
  otherAgency: {
    en: 'You set up or changed the other agency, so somebody else must approve this move.',
    fr: 'Vous avez créé ou modifié l’autre agence : une autre personne doit approuver ce changement.',
  },
  sameList: {
    en: 'The other agency pays a cohort with the same list, title and period already. Refuse this move.',
    fr: 'L’autre agence paie déjà une cohorte avec la même liste, le même titre et la même période. Refusez ce changement.',
  },
} satisfies Record<string, Text>
