import fc from 'fast-check'
import { type Schedule, schedules } from './schedule.ts'
import type { Guards } from './tables.ts'
import type { Rules } from './worker.ts'
import { simulate } from './world.ts'

export type Found = { schedules: number; seed: number; schedule: Schedule; violations: string[] }

/** Runs a number of schedules; `null` if no rule is violated. Shrinks the first failing schedule, unless `first` is set. */
export function findViolation(options: {
  schedules: number
  seed: number
  rules?: Partial<Rules> | undefined
  taken?: Partial<Guards> | undefined
  examples?: Schedule[]
  first?: boolean
}): Found | null {
  const { rules, taken, seed, examples = [], first = false } = options
  const holds = (schedule: Schedule) => simulate(schedule, rules, taken).length === 0
  const run = fc.check(fc.property(schedules, holds), {
    numRuns: options.schedules,
    seed,
    endOnFailure: first,
    examples: examples.map((schedule): [Schedule] => [schedule]),
  })
  const schedule = run.counterexample?.[0]
  if (!schedule) {
    if (run.errorInstance) throw run.errorInstance
    return null
  }
  return { schedules: run.numRuns, seed, schedule, violations: simulate(schedule, rules, taken) }
}
