import { moneyAccounts } from '@portal/contracts/transfers/accounting'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Booked, balanceOf, eventKinds, linesOf, type MoneyLine, totalsOf } from './money-lines.ts'

const statuses = ['pending', 'sending', 'success', 'failed', 'unknown']
const francs = { amount: 10_000, fees: 150 }
const short = ({ account, debit, credit }: MoneyLine) =>
  `${debit ? 'debit' : 'credit'} ${account} ${debit || credit}`
const owed = ['debit programme 10000', 'credit recipients 10000']
const paid = ['debit recipients 10000', 'credit float 10000', 'debit fees 150', 'credit float 150']
const arrears = ['debit recipients 10000', 'credit arrears 10000']
const again = ['debit arrears 10000', 'credit recipients 10000']

test('an accountant finds each kind of event booked as the rules say', () => {
  const booked = Object.fromEntries(
    eventKinds.map((kind) => [
      kind,
      Object.fromEntries(
        statuses.map((status) => [status, linesOf({ kind, status, ...francs }).map(short)] as const),
      ),
    ]),
  )
  const always = (lines: string[]) => Object.fromEntries(statuses.map((status) => [status, lines]))
  const byOutcome = { ...always([]), success: paid, failed: arrears }
  expect(booked).toEqual({
    expected: always(owed),
    opening: byOutcome,
    instructed: always([]),
    returned: always([]),
    unknown: always([]),
    waiting: always([]),
    paid: always(paid),
    failed: always(arrears),
    settled: byOutcome,
    withheld: always(arrears),
    released: always(again),
    retried: always(again),
    corrected: always([]),
    written_off: always(['debit arrears 10000', 'credit written_off 10000']),
    moved: always([]),
    fee_corrected: always([]),
    confirmed: always([]),
    unconfirmed: always([]),
  })
})

const event: fc.Arbitrary<Booked> = fc.record({
  kind: fc.constantFrom(...eventKinds),
  status: fc.constantFrom(...statuses),
  amount: fc.integer({ min: 1, max: 2_000_000 }),
  fees: fc.integer({ min: 0, max: 2_000_000 }),
})
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

test('an accountant finds every entry balanced, all accounts together at zero, and balances that are the sums of the lines', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      for (const each of events) {
        const lines = linesOf(each)
        expect(sum(lines.map(({ debit }) => debit))).toBe(sum(lines.map(({ credit }) => credit)))
        expect(lines.every(({ debit, credit }) => (debit === 0) !== (credit === 0))).toBe(true)
        expect(lines.every(({ debit, credit }) => Number.isSafeInteger(debit + credit))).toBe(true)
      }
      const totals = totalsOf(events)
      expect(sum(moneyAccounts.map((account) => balanceOf(totals, account)))).toBe(0)
      const lines = events.flatMap(linesOf)
      for (const account of moneyAccounts)
        expect(balanceOf(totals, account)).toBe(
          sum(lines.filter((line) => line.account === account).map(({ debit, credit }) => debit - credit)),
        )
    }),
  )
})

test('an accountant gets the same balances from events and from their sums by kind and status', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const sums = new Map<string, Booked>()
      for (const each of events) {
        const key = `${each.kind} ${each.status}`
        const before = sums.get(key)
        sums.set(key, {
          ...each,
          amount: each.amount + (before?.amount ?? 0),
          fees: each.fees + (before?.fees ?? 0),
        })
      }
      expect(totalsOf(sums.values())).toEqual(totalsOf(events))
    }),
  )
})

/** The ways of a payment that the database allows, as steps from one status to the next. */
const steps: Record<string, [kind: Booked['kind'], status: string][]> = {
  pending: [
    ['instructed', 'sending'],
    ['withheld', 'failed'],
    ['moved', 'pending'],
    ['opening', 'success'],
    ['opening', 'failed'],
  ],
  sending: [
    ['paid', 'success'],
    ['failed', 'failed'],
    ['unknown', 'unknown'],
    ['returned', 'pending'],
    ['withheld', 'failed'],
    ['settled', 'success'],
    ['settled', 'failed'],
  ],
  unknown: [
    ['waiting', 'sending'],
    ['paid', 'success'],
    ['failed', 'failed'],
    ['settled', 'success'],
    ['settled', 'failed'],
  ],
  failed: [
    ['retried', 'pending'],
    ['released', 'pending'],
    ['corrected', 'failed'],
    ['written_off', 'written_off'],
  ],
  success: [
    ['confirmed', 'success'],
    ['unconfirmed', 'success'],
    ['fee_corrected', 'success'],
  ],
  written_off: [],
}

test('an accountant finds a payment in one account at a time, whatever way it went', () => {
  const account = {
    pending: 'recipients',
    sending: 'recipients',
    unknown: 'recipients',
    failed: 'arrears',
    written_off: 'written_off',
    success: 'float',
  }
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 30 }), (choices) => {
      let status = 'pending'
      const events: Booked[] = [{ kind: 'expected', status, ...francs }]
      for (const choice of choices) {
        const possible = steps[status] ?? []
        const step = possible[choice % possible.length]
        if (!step) break
        status = step[1]
        events.push({ kind: step[0], status, ...francs })
      }
      const totals = totalsOf(events)
      const held = account[status as keyof typeof account]
      for (const each of ['recipients', 'arrears', 'written_off', 'float'] as const)
        expect(balanceOf(totals, each)).toBe(each === held ? -(10_000 + (each === 'float' ? 150 : 0)) : 0)
      expect(balanceOf(totals, 'programme')).toBe(10_000)
      expect(balanceOf(totals, 'fees')).toBe(status === 'success' ? 150 : 0)
    }),
  )
})
