import { type Figure, median, percent } from './figures.ts'
import { everybody } from './load-people.ts'
import { inWords, type Quantiles, quantiles } from './sampler.ts'

const aims = { perSecond: 1000, p99Ms: 150, apiMs: 0.7, databaseMs: 1.0, ofBare: 0.35, growth: 0.1 }

/** The processes have just started: their code is compiled and their connections are opened in the first seconds. */
export const coldSeconds = 10

/** Durations in ms of the answered calls of a habit, those of them after the cold seconds, and what the others were answered. */
export type Tally = { times: number[]; later: number[]; errors: string[] }

/** As fast as it is answered: calls a second, processor time of a call in ms, and the list of schools beside a bare Fastify. */
type Speed = {
  full: { rate: number; errors: number; times: Quantiles; apiMs: number; databaseMs: number }
  lists: number
  bare: number
  bareMs: number
}
type Measured = {
  tallies: Map<string, Tally>
  /** Durations in ms of an update by the driver with its commit, meanwhile. */
  bareCommits: number[]
  perSecond: number
  samples: Record<'api' | 'worker' | 'load', number[]>
  /** Measured with everybody only. */
  speed: Speed | undefined
  people: number
  /** As the option says; each habit has at least one of them. */
  wanted: number
  minutes: number
}
type Tell = (name: string, measured: string, aim?: string, holds?: boolean | null) => Figure

/** The figures of a load. Their names say how many people and minutes, so that runs of several sizes stand side by side. */
export function figuresOf({ people, wanted, minutes, ...measured }: Measured): Figure[] {
  const options = [
    ...(minutes === 3 ? [] : [`--minutes ${minutes}`]),
    ...(wanted === everybody ? [] : [`--people ${wanted}`]),
  ]
  const command = ['npm run bench:load', ...(options.length ? ['--', ...options] : [])].join(' ')
  const tell: Tell = (name, words, aim = '', holds = null) => ({
    figure: `Load of ${people} people over ${minutes} minutes: ${name}`,
    measured: words,
    aim,
    holds,
    command,
  })
  return [
    ...ofHabits(measured, tell),
    ofCommits(measured, tell),
    ...ofMemory(measured, tell),
    ...(measured.speed ? ofSpeed(measured.speed, tell) : []),
  ]
}

function ofHabits(
  { tallies, perSecond, samples }: Omit<Measured, 'people' | 'wanted' | 'minutes'>,
  tell: Tell,
) {
  const errors = [...tallies].flatMap(([name, { errors }]) => errors.map((status) => `${name} ${status}`))
  const answered = [...tallies.values()].reduce((sum, { times }) => sum + times.length, 0)
  return [
    ...[...tallies].map(([name, { times, later }]) => {
      const each = quantiles(times)
      const settled = `p99 ${quantiles(later).p99.toFixed(1)} ms after the first ${coldSeconds} s`
      return tell(name, `${inWords(each)}, ${settled}`, `p99 ≤ ${aims.p99Ms} ms`, each.p99 <= aims.p99Ms)
    }),
    tell(
      'errors',
      `${errors.length} of ${answered + errors.length} calls (${perSecond.toFixed(0)}/s, load of the machine ${median(samples.load).toFixed(1)} in the middle, ${Math.max(...samples.load).toFixed(1)} at most)${errors.length ? `: ${[...new Set(errors)].join(', ')}` : ''}`,
      'none',
      errors.length === 0,
    ),
  ]
}

/** Edits beside the least that one can take: a statement that is on the disk when it is answered. */
function ofCommits({ tallies, bareCommits }: Omit<Measured, 'people' | 'wanted' | 'minutes'>, tell: Tell) {
  const bare = quantiles(bareCommits)
  const edits = quantiles(tallies.get('edits')?.times ?? [])
  return tell(
    'an update by the bare driver with its commit',
    `${inWords(bare)} (edits: ${(edits.p50 / bare.p50).toFixed(1)} ×, p99 ${(edits.p99 / bare.p99).toFixed(1)} ×)`,
  )
}

const ofMemory = ({ samples }: Omit<Measured, 'people' | 'wanted' | 'minutes'>, tell: Tell) =>
  (['api', 'worker'] as const).map((role) => {
    const { thirds, growth } = byThirds(samples[role])
    return tell(
      `memory of the ${role}`,
      `${thirds.map((mib) => mib.toFixed(0)).join(', ')} MiB in each third (${percent(growth)} more in the last), ${Math.max(...samples[role]).toFixed(0)} MiB at most`,
      // Caches and the heap have their size after the first third.
      `last third ≤ ${percent(1 + aims.growth)} of the middle one`,
      growth <= aims.growth,
    )
  })

/**
 * A bare Fastify takes so little of the processor that a call within the api's own aim cannot reach 35 % of its rate. The
 * processor time counts (decision 165); the ratio is told with what it would ask for.
 */
function ofSpeed({ full, lists, bare, bareMs }: Speed, tell: Tell): Figure[] {
  const asked = bareMs / aims.ofBare
  const most = Math.min(1, bareMs / aims.apiMs)
  return [
    tell(
      'lists and searches, 64 at once',
      `${full.rate.toFixed(0)}/s, ${inWords(full.times)}, ${full.errors} errors`,
      `≥ ${aims.perSecond}/s, p99 ≤ ${aims.p99Ms} ms`,
      full.rate >= aims.perSecond && full.times.p99 <= aims.p99Ms && full.errors === 0,
    ),
    tell(
      'processor time of the api for a call',
      `${full.apiMs.toFixed(2)} ms`,
      `≤ ${aims.apiMs} ms`,
      full.apiMs <= aims.apiMs,
    ),
    tell(
      'processor time of the database for a call',
      `${full.databaseMs.toFixed(2)} ms`,
      `≤ ${aims.databaseMs} ms`,
      full.databaseMs <= aims.databaseMs,
    ),
    tell(
      'list of schools against a bare Fastify that answers as much',
      `${percent(lists / bare)} (${lists.toFixed(0)}/s of ${bare.toFixed(0)}/s, ${bareMs.toFixed(3)} ms of processor each). ${percent(aims.ofBare)} would leave ${asked.toFixed(2)} ms for a call of the api; its own aim of ${aims.apiMs} ms, which counts, allows ${percent(most)}`,
      `≥ ${percent(aims.ofBare)}`,
      lists / bare >= aims.ofBare,
    ),
  ]
}

/** Medians of the first, middle and last third of the samples, and by how much the last is above the middle one. */
function byThirds(samples: readonly number[]) {
  const size = Math.max(1, Math.floor(samples.length / 3))
  const thirds = [samples.slice(0, size), samples.slice(size, -size), samples.slice(-size)].map(median)
  const [, middle = 0, last = 0] = thirds
  return { thirds, growth: last / middle - 1 }
}
