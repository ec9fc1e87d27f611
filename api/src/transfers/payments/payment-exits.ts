import type { Endpoint } from '@portal/contracts/endpoint'
import { bankFiles } from '@portal/contracts/transfers/bank-files'
import { payeeHolds } from '@portal/contracts/transfers/payee-holds'
import { paymentExceptions } from '@portal/contracts/transfers/payment-exceptions'
import { paymentSettlements } from '@portal/contracts/transfers/payment-settlements'
import {
  type PaymentAct,
  type PaymentState,
  paymentStates,
  payrolls,
} from '@portal/contracts/transfers/payrolls'
import { recipientCorrections } from '@portal/contracts/transfers/recipient-corrections'
import { statements } from '@portal/contracts/transfers/statements'
import type { Exit, Exits, Table } from '../state-exit.ts'
import { actsIn, permissionOf, ruleOf } from './payment-acts.ts'

/** Each act on a payment is one call. */
const callOf: Record<PaymentAct, Endpoint> = {
  retry: payrolls.retry,
  correct: recipientCorrections.propose,
  write_off: payrolls.writeOff,
  settle: paymentSettlements.propose,
}

const itself = 'The agency is asked until it answers.'
const byBank = { call: bankFiles.answer, by: 'statements.import' } as const
const settled: readonly Exit<PaymentState>[] = [
  { to: 'success', itself },
  { to: 'failed', itself },
  { to: 'success', ...byBank },
  { to: 'failed', ...byBank },
]

/** What ends a state of a payment besides the acts on it. */
const paymentsOtherwise: Record<PaymentState, readonly Exit<PaymentState>[] | string> = {
  pending: [
    { to: 'sending', itself: 'A worker sends it in its turn, while the cohort is running.' },
    { to: 'sending', call: bankFiles.create, by: 'payrolls.export' },
    { to: 'held', call: payeeHolds.create, by: 'holds.manage' },
  ],
  sending: [
    ...settled,
    { to: 'unknown', itself: 'Nobody knows whether the agency has it, or its answer cannot be read.' },
    { to: 'overdue', itself: 'The agency does not answer within its limit.' },
  ],
  success: 'The recipient has the money.',
  unknown: settled,
  overdue: settled,
  settling: [
    { to: 'success', call: paymentSettlements.decide, by: 'cohorts.approve' },
    { to: 'failed', call: paymentSettlements.decide, by: 'cohorts.approve' },
    { to: 'unknown', call: paymentSettlements.decide, by: 'cohorts.approve' },
    { to: 'unknown', call: paymentSettlements.withdraw, by: 'cohorts.create' },
    ...settled,
  ],
  failed: [],
  doubted: [
    { to: 'failed', call: paymentExceptions.close, by: 'cohorts.approve' },
    { to: 'paid_after_all', call: paymentExceptions.close, by: 'cohorts.approve' },
    { to: 'failed', call: statements.withdraw, by: 'statements.import' },
  ],
  paid_after_all: [],
  correcting: [
    { to: 'failed', call: recipientCorrections.decide, by: 'cohorts.approve' },
    { to: 'failed', call: recipientCorrections.withdraw, by: 'recipients.correct' },
  ],
  held: [
    { to: 'withheld', call: payeeHolds.release, by: 'cohorts.approve' },
    { to: 'withheld', itself: 'The last day of the hold has passed.' },
  ],
  withheld: [],
  written_off: 'It was decided with a reason that it is not made any more.',
}

/** The acts that a payment's state allows, as `payment-acts.ts` has them, and what else ends it. */
function exitsOfPayment(state: PaymentState): Exits<PaymentState> {
  const otherwise = paymentsOtherwise[state]
  if (typeof otherwise === 'string') return { final: otherwise }
  const acts = actsIn(state).flatMap((act): Exit<PaymentState>[] => {
    const rule = ruleOf(act, state)
    return 'next' in rule ? [{ to: rule.next, call: callOf[act], by: permissionOf[act] }] : []
  })
  const [first, ...rest] = [...acts, ...otherwise]
  if (!first) throw new Error(`nothing leads out of the state ${state} of a payment`)
  return { exits: [first, ...rest] }
}

/** The exits of a payment. */
export const paymentExits = Object.fromEntries(
  paymentStates.map((state) => [state, exitsOfPayment(state)]),
) as Table<PaymentState>
