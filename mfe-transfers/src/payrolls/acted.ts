import type { PaymentAct, RoundPayment } from '@portal/contracts/transfers/payrolls'

/** The chosen payments on which an act is possible, their sum, and the number of the other chosen ones. */
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
