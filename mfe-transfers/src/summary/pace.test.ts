import { expect, test } from 'vitest'
import { paceOf, type Sample, withSample } from './pace.ts'

const polls = (...done: number[]) =>
  done.reduce<Sample[]>(
    (kept, each, second) => withSample(kept, { round: 1, at: second * 1000, done: each }),
    [],
  )

test('an approver reads how many payments a minute are sent and how long it still takes', () => {
  expect(paceOf(polls(0, 4, 7, 10), 400)).toEqual({ perMinute: 200, minutes: 2 })
})

test('nothing is said of the pace before it can be known, or while nothing moves', () => {
  expect(paceOf([], 10)).toBeNull()
  expect(paceOf(polls(0, 50), 10)).toBeNull()
  expect(paceOf(polls(9, 9, 9, 9), 10)).toBeNull()
})

test('the pace is that of the last half minute, and of one round', () => {
  const long = polls(...Array.from({ length: 120 }, (_, second) => second * 2))
  expect(long.length).toBe(31)
  expect(withSample(long, { round: 2, at: 120_000, done: 0 })).toHaveLength(1)
})
