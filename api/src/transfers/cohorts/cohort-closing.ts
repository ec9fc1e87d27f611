import { fillText, type Text } from '@portal/contracts/sentences'
import { type OpenPointKind, openPointKinds } from '@portal/contracts/transfers/cohort-closing'
import type { CohortStatus } from '@portal/contracts/transfers/cohorts'

/** A kind of thing that keeps a cohort from being closed, and how many there are of it. */
export type OpenPoint = { kind: OpenPointKind; count: number }
export type CohortState = CohortStatus | 'closed'

/** Closing leads to the next state, or is refused with the reason. */
export type Rule = { next: 'closed' } | { refusal: Text }

/** Every state of a cohort with the act of closing it for good (Money 5.14). */
const rules: Record<CohortState, Rule> = {
  pending: {
    refusal: {
      en: 'Nobody has decided on this cohort yet. Approve or reject it.',
      fr: 'Personne n’a encore décidé de cette cohorte. Approuvez-la ou rejetez-la.',
    },
  },
  rejected: {
    refusal: {
      en: 'This cohort was rejected: nothing of it can be paid.',
      fr: 'Cette cohorte a été rejetée : rien ne peut en être payé.',
    },
  },
  approved: { next: 'closed' },
  // Its payment error is one of the open points.
  error: { next: 'closed' },
  closed: {
    refusal: {
      en: 'Somebody has closed this cohort already. Reload the page.',
      fr: 'Quelqu’un a déjà clôturé cette cohorte. Rechargez la page.',
    },
  },
}

/** What is open, and how a person ends it. */
export const openPointWords: Record<OpenPointKind, { what: Text; way: Text }> = {
  error: {
    what: {
      en: 'The cohort ended in a payment error',
      fr: 'La cohorte s’est arrêtée sur une erreur de paiement',
    },
    way: { en: 'Retry its approval.', fr: 'Reprenez son envoi.' },
  },
  pending: {
    what: { en: 'Payments to send or being sent: {0}', fr: 'Paiements à envoyer ou en cours d’envoi : {0}' },
    way: {
      en: 'Wait until they are sent, or write them off.',
      fr: 'Attendez leur envoi, ou passez-les en perte.',
    },
  },
  unknown: {
    what: { en: 'Payments with an unknown outcome: {0}', fr: 'Paiements de résultat inconnu : {0}' },
    way: {
      en: 'The agency is asked until it answers.',
      fr: 'L’agence est interrogée jusqu’à ce qu’elle réponde.',
    },
  },
  failed: {
    what: { en: 'Failed payments: {0}', fr: 'Paiements échoués : {0}' },
    way: {
      en: 'Pay them again, correct their recipients, or write them off.',
      fr: 'Relancez-les, corrigez leurs destinataires ou passez-les en perte.',
    },
  },
  withheld: {
    what: { en: 'Payments withheld by a hold: {0}', fr: 'Paiements retenus par un blocage : {0}' },
    way: {
      en: 'Release the girls, then pay them or write the payments off.',
      fr: 'Débloquez les élèves, puis payez-les ou passez les paiements en perte.',
    },
  },
  exceptions: {
    what: { en: 'Answers of the agency to look at: {0}', fr: 'Réponses de l’agence à examiner : {0}' },
    way: { en: 'Decide on each of them.', fr: 'Décidez de chacune.' },
  },
  corrections: {
    what: { en: 'Corrections that wait for approval: {0}', fr: 'Corrections en attente d’approbation : {0}' },
    way: { en: 'Approve or refuse them.', fr: 'Approuvez-les ou refusez-les.' },
  },
  moves: {
    what: { en: 'Moves to another agency to decide on: {0}', fr: 'Changements d’agence à décider : {0}' },
    way: { en: 'Approve or refuse it.', fr: 'Approuvez-le ou refusez-le.' },
  },
  statements: {
    what: { en: 'Statements that are not signed: {0}', fr: 'Relevés qui ne sont pas signés : {0}' },
    way: { en: 'Have them signed, or withdraw them.', fr: 'Faites-les signer, ou retirez-les.' },
  },
}

/** The points in the order in which people end them. */
export const inOrder = (points: readonly OpenPoint[]): OpenPoint[] =>
  openPointKinds.flatMap((kind) => points.filter((point) => point.kind === kind))

/** Returns why a cohort cannot be closed, with all that is open and how each ends, or null. */
export function closingRefusal(state: CohortState, points: readonly OpenPoint[]): Text | null {
  const rule = rules[state]
  if ('refusal' in rule) return rule.refusal
  if (points.length === 0) return null
  const listed = inOrder(points).map(({ kind, count }) => {
    const { what, way } = openPointWords[kind]
    const { en, fr } = fillText(what, count)
    return { en: `${en}. ${way.en}`, fr: `${fr}. ${way.fr}` }
  })
  return {
    en: `This cohort cannot be closed yet. ${listed.map(({ en }) => en).join(' ')}`,
    fr: `Cette cohorte ne peut pas encore être clôturée. ${listed.map(({ fr }) => fr).join(' ')}`,
  }
}
