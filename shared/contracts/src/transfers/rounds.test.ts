import { describe, expect, test } from 'vitest'
import { feesOf, planRounds, roundAtApproval } from './rounds.ts'

const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

describe('the plan of rounds', () => {
  test('an officer who pays once a month for three months gets three rounds', () => {
    expect(planRounds('2026-11-01', '2027-01-31', 1)).toEqual([
      { n: 1, due_on: '2026-11-01' },
      { n: 2, due_on: '2026-12-01' },
      { n: 3, due_on: '2027-01-01' },
    ])
  })

  test('a period of a single day has one round, however often a month is paid', () => {
    expect(planRounds('2026-02-28', '2026-02-28', 31)).toEqual([{ n: 1, due_on: '2026-02-28' }])
  })

  test('in every period rounds begin on the first day, rise, and end within it', () => {
    for (let length = 1; length <= 800; length += 7) {
      for (const frequency of [1, 2, 3, 10, 31]) {
        const from = '2024-02-27'
        const to = new Date(Date.parse(from) + (length - 1) * 86_400_000).toISOString().slice(0, 10)
        const plan = planRounds(from, to, frequency)
        expect(plan).toHaveLength(Math.min(length, Math.max(1, Math.round((frequency * length * 12) / 365))))
        expect(plan[0]?.due_on).toBe(from)
        expect(new Set(plan.map((round) => round.due_on)).size).toBe(plan.length)
        expect(plan.map((round) => round.due_on)).toEqual(plan.map((round) => round.due_on).toSorted())
        expect(plan.at(-1)?.due_on && plan.at(-1)!.due_on <= to).toBe(true)
        expect(days(from, to)).toBe(length)
      }
    }
  })

  test('an approver makes the latest round that is due, or the first when the period lies ahead', () => {
    const plan = planRounds('2026-11-01', '2027-01-31', 1)
    expect(roundAtApproval(plan, '2026-10-15')).toBe(1)
    expect(roundAtApproval(plan, '2026-11-01')).toBe(1)
    expect(roundAtApproval(plan, '2026-12-24')).toBe(2)
    expect(roundAtApproval(plan, '2027-03-01')).toBe(3)
  })
})

describe('fees', () => {
  test('half a franc is rounded up, in whole numbers only', () => {
    expect(feesOf(10_500, 200)).toBe(210)
    expect(feesOf(25, 200)).toBe(1)
    expect(feesOf(24, 200)).toBe(0)
    expect(feesOf(2_000_000, 10_000)).toBe(2_000_000)
    expect(feesOf(1, 0)).toBe(0)
  })

  test('they are what arithmetic without floats says, for amounts and commissions of every size', () => {
    for (let amount = 1; amount <= 2_000_000; amount = amount * 3 + 1) {
      for (const hundredths of [0, 1, 99, 100, 150, 333, 9_999, 10_000]) {
        const exact = (BigInt(amount) * BigInt(hundredths) + 5000n) / 10_000n
        expect(feesOf(amount, hundredths)).toBe(Number(exact))
      }
    }
  })
})
