import type { Cell } from '@portal/contracts/imports/sheet'
import { say } from '@portal/contracts/sentences'
import type { StatementColumn } from '@portal/contracts/transfers/statements'
import { expect, test } from 'vitest'
import { largest, readLine } from './statement-line.ts'

const read = (cells: Partial<Record<StatementColumn, Cell>>) => {
  const { amount, fee, problem } = readLine(2, { day: '2026-03-02', amount: 10_500, ...cells }, 'ml')
  return { amount, fee, problem: problem && say(problem, 'en') }
}

test.each<[Cell, number]>([
  [10_500, 10_500],
  [-10_500, 10_500],
  [largest, largest],
  ['10 500', 10_500],
  ['78.125', 78_125],
  ['10,500.00', 10_500],
])('an agency’s amount of %j is %i francs', (amount, francs) => {
  expect(read({ amount })).toMatchObject({ amount: francs, problem: null })
})

test.each<[Cell]>([[78.125], [10_500.5], [-1.001], [0.125], [largest + 1], [1e21]])(
  'an agency’s amount of %j in a number cell is for a person to look at',
  (amount) => {
    expect(read({ amount })).toMatchObject({ amount: null, problem: expect.stringContaining(String(amount)) })
  },
)

test('an agency’s fee with decimals in a number cell is for a person to look at', () => {
  expect(read({ fee: 78.125 })).toMatchObject({ fee: null, problem: expect.stringContaining('78.125') })
  expect(read({ fee: 105 })).toMatchObject({ fee: 105, problem: null })
})

test.each(['0000-01-01', '0000-01-01T00:00:00Z', '0000-12-31 23:00:00+01:00', '1999-12-31T10:00:00Z'])(
  'an agency’s day of %s is for a person to look at',
  (day) => {
    const line = readLine(2, { day, amount: 10_500 }, 'ml')
    expect([line.day, line.problem && say(line.problem, 'en')]).toEqual([null, expect.stringContaining(day)])
  },
)
