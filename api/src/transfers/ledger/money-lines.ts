import { type MoneyAccount as Account, moneyAccounts } from '@portal/contracts/transfers/accounting'

export const eventKinds = [
  'expected',
  'opening',
  'instructed',
  'returned',
  'unknown',
  'waiting',
  'paid',
  'failed',
  'settled',
  'withheld',
  'released',
  'retried',
  'corrected',
  'written_off',
  'moved',
  'fee_corrected',
  'confirmed',
  'unconfirmed',
] as const
export type EventKind = (typeof eventKinds)[number]

/** What the lines of an event depend on. `amount` and `fees` may be sums of events of the same kind and status. */
export type Booked = { kind: EventKind; status: string; amount: number; fees: number }

/** A line of an entry: one of `debit` and `credit` is zero. */
export type MoneyLine = { account: Account; debit: number; credit: number }

/** Which amount of the event goes from one account (credit) to another one (debit). */
type Posting = readonly [debit: Account, credit: Account, of: 'amount' | 'fees']

const isOwed: Posting[] = [['programme', 'recipients', 'amount']]
/** The agency's float pays the recipient and the programme's commission (Money 1.5). */
const isPaid: Posting[] = [
  ['recipients', 'float', 'amount'],
  ['fees', 'float', 'fees'],
]
const isInArrears: Posting[] = [['recipients', 'arrears', 'amount']]
const isOwedAgain: Posting[] = [['arrears', 'recipients', 'amount']]
const isWrittenOff: Posting[] = [['arrears', 'written_off', 'amount']]

/** An outcome by the status that the payment has after it. A payment of unknown outcome is still owed to its recipient. */
const outcome = (status: string): Posting[] =>
  status === 'success' ? isPaid : status === 'failed' ? isInArrears : []

const postings: Record<EventKind, (status: string) => Posting[]> = {
  expected: () => isOwed,
  opening: outcome,
  instructed: () => [],
  returned: () => [],
  unknown: () => [],
  waiting: () => [],
  paid: () => isPaid,
  failed: () => isInArrears,
  settled: outcome,
  withheld: () => isInArrears,
  released: () => isOwedAgain,
  retried: () => isOwedAgain,
  corrected: () => [],
  written_off: () => isWrittenOff,
  moved: () => [],
  fee_corrected: () => [],
  confirmed: () => [],
  unconfirmed: () => [],
}

/** The lines of an event. Their debits and credits are equal. Lines of nothing are left out. */
export function linesOf(event: Booked): MoneyLine[] {
  return postings[event.kind](event.status).flatMap(([debit, credit, of]) =>
    event[of] === 0
      ? []
      : [
          { account: debit, debit: event[of], credit: 0 },
          { account: credit, debit: 0, credit: event[of] },
        ],
  )
}

/** Debits and credits of each account. */
export type Totals = Record<Account, { debit: number; credit: number }>

export function totalsOf(events: Iterable<Booked>): Totals {
  const totals = Object.fromEntries(
    moneyAccounts.map((account) => [account, { debit: 0, credit: 0 }]),
  ) as Totals
  for (const event of events)
    for (const { account, debit, credit } of linesOf(event)) {
      totals[account].debit += debit
      totals[account].credit += credit
    }
  return totals
}

/** What an account has been given more than it gave: debits without credits. */
export const balanceOf = (totals: Totals, account: Account) => totals[account].debit - totals[account].credit

/** The kinds of events that have lines. */
export const bookedKinds = eventKinds.filter((kind) =>
  ['success', 'failed'].some((status) => linesOf({ kind, status, amount: 1, fees: 1 }).length > 0),
)
