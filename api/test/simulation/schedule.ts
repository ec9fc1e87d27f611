import fc from 'fast-check'
import { type Mood, moods } from './agency.ts'

/** A fault. `after` is the time in milliseconds since the fault before. */
export type Fault = { after: number } & (
  | { kind: 'mood'; agency: number; mood: Mood }
  | { kind: 'odd recipient'; cohort: number; student: number; how: 'refused' | 'garbled' | 'wrong' }
  | { kind: 'retry'; cohort: number; corrected: boolean }
  | { kind: 'kill'; worker: number }
  | { kind: 'freeze'; worker: number; ms: number }
  | { kind: 'backup' }
  | { kind: 'restore'; workersLive: boolean }
  | { kind: 'failover'; lag: number }
  | { kind: 'address'; agency: number }
  | { kind: 'list changed'; cohort: number; person: number }
  | { kind: 'absence'; ms: number }
)

/** The input of one run. It determines everything that happens. */
export type Schedule = { seed: number; sizes: [number, number, number, number]; faults: Fault[] }

const agency = fc.integer({ min: 1, max: 3 })
const size = fc.integer({ min: 1, max: 6 })
const worker = fc.integer({ min: 0, max: 1 })
const after = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
)
const fault: fc.Arbitrary<Fault> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      after,
      kind: fc.constant('mood' as const),
      agency,
      mood: fc.constantFrom(...moods),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      after,
      kind: fc.constant('odd recipient' as const),
      cohort: fc.integer({ min: 1, max: 4 }),
      student: fc.integer({ min: 1, max: 3 }),
      how: fc.constantFrom('refused' as const, 'garbled' as const, 'wrong' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      after,
      kind: fc.constant('retry' as const),
      cohort: fc.integer({ min: 1, max: 4 }),
      corrected: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ after, kind: fc.constant('kill' as const), worker }) },
  {
    weight: 2,
    arbitrary: fc.record({
      after,
      kind: fc.constant('freeze' as const),
      worker,
      ms: fc.integer({ min: 500, max: 12_000 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ after, kind: fc.constant('backup' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ after, kind: fc.constant('restore' as const), workersLive: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      after,
      kind: fc.constant('failover' as const),
      lag: fc.integer({ min: 0, max: 7 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ after, kind: fc.constant('address' as const), agency }) },
  {
    weight: 1,
    arbitrary: fc.record({
      after,
      kind: fc.constant('list changed' as const),
      cohort: fc.constantFrom(1, 5),
      person: fc.integer({ min: 2, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      after,
      kind: fc.constant('absence' as const),
      ms: fc.constantFrom(90_000, 125 * 86_400_000),
    }),
  },
)

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  sizes: fc.tuple(size, size, size, size),
  faults: fc.array(fault, { maxLength: 9 }),
})
