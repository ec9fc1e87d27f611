import type { AnswerEffect } from '@portal/contracts/transfers/bank-files'
import type { Settled } from '../engine/settlement.service.ts'
import { readXmlFrancs } from '../iso20022/camt.ts'
import { type BankOrderStatus, type BankReport, isDuplicate } from '../iso20022/pain002.ts'

/** A payment of a file, with the state of its attempt. */
export type Ordered = { attempt_id: number; n: number; key: string; state: string; amount: number }

/** What an answer says of one payment, and what it leads to. */
export type Judged = {
  end_to_end_id: string
  status: string
  reason: string | null
  effect: AnswerEffect
  order: Ordered | undefined
  settled: Settled | null
}

/** The money has left the payer's account. */
const paid = ['ACSC', 'ACCC']
/** The bank did not and will not carry it out. */
const refused = ['RJCT', 'CANC']
/** The bank has it: received, checked, accepted, in work or waiting. */
const waiting = ['RCVD', 'ACTC', 'ACCP', 'ACFC', 'ACSP', 'ACWC', 'ACWP', 'PATC', 'PDNG', 'BLCK']
/**
 * The lines of a report: one for each order that it names, and one for each other order of the file, if the status of the
 * whole file holds for it. Of an order that is named twice the second line is one for a person, and so is the first if only
 * one of them refuses it: a refusal lets it be paid again. What is refused in a file that came twice is refused for that.
 */
export function linesOf(report: BankReport, names: Iterable<string>): BankOrderStatus[] {
  const { all, orders } = report
  const cameTwice = isDuplicate(all.reason)
  const given = orders.map((line) => {
    const { status, reason } = line.status ? line : all
    return { ...line, status, reason: cameTwice ? all.reason : reason }
  })
  const disputed = disputedIn(given)
  const seen = new Set<string>()
  const own = given.map((line) => {
    const name = line.end_to_end_id
    const counts = !seen.has(name) && !(isRefusal(line.status) && disputed.has(name))
    seen.add(name)
    return { ...line, status: counts ? line.status : null }
  })
  if (!all.status) return own
  const others = [...names].filter((name) => !seen.has(name))
  return [
    ...own,
    ...others.map((end_to_end_id) => ({ ...all, end_to_end_id, transaction_id: null, amount: null })),
  ]
}

const isRefusal = (status: string | null) => status !== null && refused.includes(status)

/** Orders that a report refuses in one line and not in another. */
function disputedIn(lines: readonly BankOrderStatus[]): Set<string> {
  const otherwise = lines.filter(({ status }) => !isRefusal(status))
  return new Set(otherwise.map(({ end_to_end_id }) => end_to_end_id))
}

/** What a line leads to. An amount that the bank repeats must be that of the order (Money 4.7). */
export function judge(line: BankOrderStatus, order: Ordered | undefined): Judged {
  const { end_to_end_id, reason, transaction_id } = line
  const base = { end_to_end_id, status: line.status ?? '', reason, order, settled: null }
  if (!order) return { ...base, effect: 'unknown' }
  const payment = { attempt_id: order.attempt_id, n: order.n, key: order.key }
  if (line.status === null) return { ...base, effect: 'unreadable' }
  if (waiting.includes(line.status)) return { ...base, effect: 'waiting' }
  const isPaid = paid.includes(line.status)
  if (!isPaid && !refused.includes(line.status)) return { ...base, effect: 'unreadable' }
  if (!isPaid && isDuplicate(reason)) return { ...base, effect: 'duplicate' }
  const answered = differing(line.amount, order.amount)
  if (answered !== null)
    return {
      ...base,
      effect: 'differs',
      settled: {
        payment,
        outcome: { kind: 'unknown', reason: 'amount_differs' },
        mismatch: { kind: 'amount', expected: String(order.amount), answered },
      },
    }
  const outcome: Settled['outcome'] = isPaid
    ? { kind: 'success', external_trx_id: transaction_id, agency_fees: null, echo: {} }
    : { kind: 'failed', reason: reason ?? 'refused', external_trx_id: transaction_id, echo: {} }
  return { ...base, effect: isPaid ? 'paid' : 'failed', settled: { payment, outcome, mismatch: null } }
}

/** The amount that the bank repeats, if it is another one than that of the order. */
function differing(amount: BankOrderStatus['amount'], ours: number): string | null {
  if (!amount || (amount.currency === 'XOF' && readXmlFrancs(amount.written) === ours)) return null
  return `${amount.written} ${amount.currency}`.trim()
}
