/** One poll of a round: when, in ms, and how many payments were handled by then. */
export type Sample = { round: number; at: number; done: number }

const windowMs = 30_000
const shortestMs = 2_000

/** The polls of the last half minute, of one round only. */
export function withSample(samples: readonly Sample[], next: Sample): Sample[] {
  const kept = samples.filter(
    (each) => each.round === next.round && each.at < next.at && next.at - each.at <= windowMs,
  )
  return [...kept, next]
}

/** Payments a minute over the polls kept, and the minutes until `left` more are handled; null until it can be told. */
export function paceOf(
  samples: readonly Sample[],
  left: number,
): { perMinute: number; minutes: number } | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < shortestMs || last.done <= first.done) return null
  const perMinute = ((last.done - first.done) / (last.at - first.at)) * 60_000
  return { perMinute: Math.max(1, Math.round(perMinute)), minutes: left / perMinute }
}
