import type { Permission } from '@portal/contracts/permissions'
import type { Text } from '@portal/contracts/sentences'
import type { PaymentStatus } from '@portal/contracts/transfers/cohorts'
import { type PaymentAct, type PaymentState, paymentActs } from '@portal/contracts/transfers/payrolls'

/** What decides about the acts on a payment. */
export type ActedOn = {
  status: PaymentStatus
  /** Whether the agency has the order for longer than it may take. */
  overdue: boolean
  /** Whether a settlement of its outcome waits for a second person. */
  settling: boolean
  written_off: boolean
  /** Whether an answer of the agency contradicts the database, so that the money may have moved. */
  doubted: boolean
  /** Whether a person decided that its money moved although it counts as failed. */
  paid_after_all: boolean
  /** Whether a correction of its recipient waits for a second person. */
  correcting: boolean
  /** Whether its payee is on hold. */
  held: boolean
  /** Whether it was withheld because of a hold. */
  withheld: boolean
}

/** An act leads to the next state, or is refused with the reason. */
export type Rule = { next: PaymentState } | { refusal: Text }

/** Who may do an act. People who touched the cohort may do none of them (Money 6.1). */
export const permissionOf: Record<PaymentAct, Permission> = {
  retry: 'cohorts.approve',
  correct: 'recipients.correct',
  write_off: 'arrears.write-off',
  settle: 'cohorts.create',
}

const waits: Text = { en: 'It waits to be sent.', fr: 'Il attend d’être envoyé.' }
const isSent: Text = { en: 'It is being sent.', fr: 'Il est en cours d’envoi.' }
const settling: Text = {
  en: 'A settlement of its outcome waits for approval.',
  fr: 'Son règlement attend l’approbation.',
}
const failed: Text = { en: 'It has failed.', fr: 'Il a échoué.' }
const paid: Text = { en: 'It was paid.', fr: 'Il a été payé.' }
const unknown: Text = {
  en: 'Its outcome is unknown: the money may have moved.',
  fr: 'Son résultat est inconnu : l’argent a pu être transféré.',
}
const doubted: Text = {
  en: 'An answer or a statement of the agency says something else about it and must be looked at first.',
  fr: 'Une réponse ou un relevé de l’agence dit autre chose à son sujet et doit d’abord être examiné.',
}
const paidAfterAll: Text = {
  en: 'It was decided that its money moved after all.',
  fr: 'Il a été décidé que son argent a bien été transféré.',
}
const correcting: Text = {
  en: 'A correction of its recipient waits for approval.',
  fr: 'Une correction de son destinataire attend l’approbation.',
}
const held: Text = {
  en: 'The girl is on hold: release her first.',
  fr: 'L’élève est bloquée : débloquez-la d’abord.',
}
const writtenOff: Text = { en: 'It was written off.', fr: 'Il a été passé en perte.' }

/**
 * Every state of a payment with every act. Only a definite refusal by the agency allows an act that pays again or
 * gives up, or that it was not sent, because only then is it certain that no money has moved (Money 4.2). Only an open
 * outcome is settled (Money 4.18).
 */
const rules: Record<PaymentAct, Record<PaymentState, Rule>> = {
  retry: {
    pending: { refusal: { en: 'It waits to be sent already.', fr: 'Il attend déjà d’être envoyé.' } },
    sending: { refusal: { en: 'It is being sent already.', fr: 'Il est déjà en cours d’envoi.' } },
    success: { refusal: paid },
    unknown: { refusal: unknown },
    overdue: { refusal: isSent },
    settling: { refusal: settling },
    failed: { next: 'pending' },
    doubted: { refusal: doubted },
    paid_after_all: { refusal: paidAfterAll },
    correcting: { refusal: correcting },
    held: { refusal: held },
    withheld: { next: 'pending' },
    written_off: { refusal: writtenOff },
  },
  correct: {
    pending: { refusal: waits },
    sending: { refusal: isSent },
    success: { refusal: paid },
    unknown: { refusal: unknown },
    overdue: { refusal: isSent },
    settling: { refusal: settling },
    failed: { next: 'correcting' },
    doubted: { refusal: doubted },
    paid_after_all: { refusal: paidAfterAll },
    correcting: { refusal: correcting },
    held: { next: 'correcting' },
    withheld: { next: 'correcting' },
    written_off: { refusal: writtenOff },
  },
  write_off: {
    pending: { next: 'written_off' },
    sending: { refusal: isSent },
    success: { refusal: paid },
    unknown: { refusal: unknown },
    overdue: { refusal: isSent },
    settling: { refusal: settling },
    failed: { next: 'written_off' },
    doubted: { refusal: doubted },
    paid_after_all: { next: 'written_off' },
    correcting: { refusal: correcting },
    held: { refusal: held },
    withheld: { next: 'written_off' },
    written_off: { refusal: { en: 'It was written off before.', fr: 'Il a déjà été passé en perte.' } },
  },
  settle: {
    pending: { refusal: waits },
    sending: { refusal: isSent },
    success: { refusal: paid },
    unknown: { next: 'settling' },
    overdue: { next: 'settling' },
    settling: { refusal: settling },
    failed: { refusal: failed },
    doubted: { refusal: doubted },
    paid_after_all: { refusal: paidAfterAll },
    correcting: { refusal: failed },
    held: { refusal: failed },
    withheld: { refusal: failed },
    written_off: { refusal: writtenOff },
  },
}

/** What comes next for a payment, or who has to act; null if it has ended. */
export const nextSteps: Record<PaymentState, Text | null> = {
  pending: {
    en: 'It is sent in its turn, while the cohort is running. Before that it can be written off.',
    fr: 'Il sera envoyé à son tour, tant que la cohorte est active. Avant cela, il peut être passé en perte.',
  },
  sending: { en: 'The agency’s answer is awaited.', fr: 'La réponse de l’agence est attendue.' },
  success: null,
  unknown: {
    en: 'Where the agency can be asked, it is asked until it answers. It is never sent twice. With evidence, two people can settle it.',
    fr: 'Si elle peut l’être, l’agence est interrogée jusqu’à ce qu’elle réponde. Il n’est jamais envoyé deux fois. Deux personnes peuvent le régler sur justificatif.',
  },
  overdue: {
    en: 'The agency takes longer than it may. It is asked again; a bank’s answer is uploaded. With evidence, two people can settle it.',
    fr: 'L’agence dépasse son délai. Elle est interrogée ; la réponse d’une banque est importée. Deux personnes peuvent le régler sur justificatif.',
  },
  settling: {
    en: 'An approver decides on the evidence. Until then the agency is asked, and nothing is sent again.',
    fr: 'Un approbateur décide du justificatif. D’ici là l’agence est interrogée et rien n’est renvoyé.',
  },
  failed: {
    en: 'It is made again, its recipient is corrected, or it is written off.',
    fr: 'Il est relancé, son destinataire est corrigé, ou il est passé en perte.',
  },
  correcting: {
    en: 'An approver decides on the correction of its recipient.',
    fr: 'Un approbateur décide de la correction de son destinataire.',
  },
  held: {
    en: 'It is not paid while the girl is on hold. An approver releases her.',
    fr: 'Il n’est pas payé tant que l’élève est bloquée. Un approbateur la débloque.',
  },
  withheld: {
    en: 'The hold has ended: it is made again, or written off.',
    fr: 'Le blocage est levé : il est relancé ou passé en perte.',
  },
  doubted: {
    en: 'The agency’s answer or statement must be looked at first: the money may have moved.',
    fr: 'La réponse ou le relevé de l’agence doit d’abord être examiné : l’argent a pu être transféré.',
  },
  paid_after_all: {
    en: 'The family has the money. It is written off, so that it is no arrear any more.',
    fr: 'La famille a l’argent. Il est passé en perte, pour ne plus compter comme arriéré.',
  },
  written_off: null,
}

/** Where a payment stands for a person who acts on it. */
export function stateOf(payment: ActedOn): PaymentState {
  const { status, written_off, doubted: inDoubt, correcting: waiting } = payment
  if (status === 'unknown' || status === 'sending') {
    if (payment.settling) return 'settling'
    return status === 'sending' && payment.overdue ? 'overdue' : status
  }
  if (status !== 'failed') return status
  if (written_off) return 'written_off'
  if (inDoubt) return 'doubted'
  if (payment.paid_after_all) return 'paid_after_all'
  if (waiting) return 'correcting'
  if (payment.held) return 'held'
  return payment.withheld ? 'withheld' : 'failed'
}

export const ruleOf = (act: PaymentAct, state: PaymentState): Rule => rules[act][state]

/** Returns why an act on a payment is refused in its state, or null. */
export function refusalOf(act: PaymentAct, payment: ActedOn): Text | null {
  const rule = ruleOf(act, stateOf(payment))
  return 'refusal' in rule ? rule.refusal : null
}

/** The acts that a state allows. */
export const actsIn = (state: PaymentState): PaymentAct[] =>
  paymentActs.filter((act) => 'next' in ruleOf(act, state))
