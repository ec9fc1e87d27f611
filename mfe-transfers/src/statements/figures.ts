import type { StatementTotal } from '@portal/contracts/transfers/statements'

/** Differences that nobody has resolved. */
export const openOf = (totals: readonly StatementTotal[]): number =>
  totals.reduce(
    (sum, { category, count, resolved }) => (category === 'matched' ? sum : sum + count - resolved),
    0,
  )

/** What the agency says that it paid. */
export const theirsOf = (totals: readonly StatementTotal[]): number =>
  totals.reduce((sum, { their_amount }) => sum + their_amount, 0)
