import { expect, test } from 'vitest'
import { findViolation } from './check.ts'
import { bugs } from './planted.ts'
import { simulate } from './world.ts'

test('in 2,000 schedules of faults nobody is paid twice, recorded as paid without money, or left waiting', {
  timeout: 120_000,
}, () => {
  // A failure shows the schedule; `node api/test/simulation/command.ts replay '<schedule>'` runs it again.
  expect(findViolation({ schedules: 2_000, seed: 20_261_122 })).toBeNull()
})

test('a schedule runs the same way each time', () => {
  const faults = [
    { after: 20, kind: 'mood', agency: 1, mood: 'slow' } as const,
    { after: 500, kind: 'restore', workersLive: true } as const,
  ]
  const schedule = { seed: 7, sizes: [3, 2, 4, 1] as [number, number, number, number], faults }
  expect(simulate(schedule)).toEqual([])
  const broken = { keysAreDerived: false, holdAfterDiscontinuity: false }
  const violations = simulate(schedule, {}, broken)
  expect(violations).not.toEqual([])
  expect(simulate(schedule, {}, broken)).toEqual(violations)
})

test.each(bugs)('the simulation finds that $title', { timeout: 60_000 }, ({ rules, taken, example }) => {
  const examples = example ? [example] : []
  expect(findViolation({ schedules: 5_000, seed: 1, rules, taken, examples, first: true })).not.toBeNull()
  for (const each of examples) expect(simulate(each)).toEqual([])
})
