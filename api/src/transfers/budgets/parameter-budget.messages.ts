import type { Text } from '@portal/contracts/sentences'

/** The sentences on budgets of parameters. */
export const say = {
  proposed: {
    en: 'The budget is proposed. It counts once another person confirms it.',
    fr: 'Le budget est proposé. Il comptera quand une autre personne l’aura confirmé.',
  },
  confirmed: {
    en: 'The budget is confirmed and counts from now on.',
    fr: 'Le budget est confirmé et compte désormais.',
  },
  refused: {
    en: 'The budget was turned down. Nothing has changed.',
    fr: 'Le budget a été refusé. Rien n’a changé.',
  },
  waits: {
    en: 'Another budget of this year waits for a second person. Confirm or refuse it first.',
    fr: 'Un autre budget de cette année attend une seconde personne. Confirmez-le ou refusez-le d’abord.',
  },
  same: {
    en: 'This is the budget already; nothing would change.',
    fr: 'C’est déjà le budget ; rien ne changerait.',
  },
  decided: {
    en: 'Somebody has decided on this budget in the meantime. Reload the page to see how.',
    fr: 'Une décision a été prise entre-temps sur ce budget. Rechargez la page pour la voir.',
  },
  withdrawn: {
    en: 'The budget is withdrawn. Nothing has changed.',
    fr: 'Le budget est retiré. Rien n’a changé.',
  },
  notOwn: {
    en: 'Somebody else proposed this budget. They can withdraw it, and an approver can refuse it.',
    fr: 'Une autre personne a proposé ce budget. Elle peut le retirer, et un approbateur peut le refuser.',
  },
  own: {
    en: 'You proposed this budget, so somebody else must confirm it.',
    fr: 'Vous avez proposé ce budget : une autre personne doit le confirmer.',
  },
  passed: {
    en: 'The budget of {0} for “{1}” is {2,number} XOF. Of it {3,number} are spent and {4,number} are reserved, so another {5,number} would pass it by {6,number}. Have a higher budget proposed and confirmed under Transfer parameters, or reject the list.',
    fr: 'Le budget {0} de « {1} » est de {2,number} F CFA. {3,number} en sont dépensés et {4,number} réservés : {5,number} de plus le dépasseraient de {6,number}. Faites proposer et confirmer un budget plus élevé dans les paramètres de transfert, ou rejetez la liste.',
  },
} satisfies Record<string, Text>
