import type { Text } from '@portal/contracts/sentences'

/** The sentences about payees on hold. */
export const say = {
  held: {
    en: 'The girl is on hold: she is not paid until she is released. Payments that were withheld now: {0}',
    fr: 'L’élève est bloquée : elle ne sera pas payée avant d’être débloquée. Paiements retenus à présent : {0}',
  },
  released: {
    en: 'The hold has ended. The next rounds pay her. Withheld payments that an approver may make again: {0}',
    fr: 'Le blocage est levé. Les prochains tours la paieront. Paiements retenus qu’un approbateur peut relancer : {0}',
  },
  heldAlready: {
    en: 'This girl is on hold already. Release that hold first.',
    fr: 'Cette élève est déjà bloquée. Levez d’abord ce blocage.',
  },
  endedAlready: {
    en: 'This hold has ended already. Reload the page.',
    fr: 'Ce blocage est déjà levé. Rechargez la page.',
  },
  noCase: {
    en: 'No case has this number. Check it, or leave it empty.',
    fr: 'Aucun dossier n’a ce numéro. Vérifiez-le ou laissez le champ vide.',
  },
  pastDay: {
    en: 'This day has passed. Choose today or a later day, or leave it empty.',
    fr: 'Ce jour est passé. Choisissez aujourd’hui ou un jour suivant, ou laissez le champ vide.',
  },
} satisfies Record<string, Text>
