import type { PaymentAct, RoundPayment } from '@portal/contracts/payrolls'

/** Of chosen payments those that an act is for, their sum, and how many others were chosen. */
export type Acted = { ids: number[]; count: number; amount: number; others: number }

export function actedOn(chosen: readonly RoundPayment[], act: PaymentAct): Acted {
  const payments = chosen.filter(({ acts }) => acts.includes(act))
  return {
    ids: payments.map(({ id }) => id),
    count: payments.length,
    amount: payments.reduce((sum, { amount }) => sum + amount, 0),
    others: chosen.length - payments.length,
  }
}
