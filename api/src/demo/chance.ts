/** A random generator that gives the same numbers for the same seed on every machine. */
export type Chance = {
  /** 0 ≤ n < 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number
  of<T>(list: readonly T[]): T
  /** An entry of the list. Earlier entries are more frequent, roughly as names are distributed. */
  early<T>(list: readonly T[]): T
  /** True in `percent` of 100 cases. */
  percent(percent: number): boolean
}

/** mulberry32, by Tommy Ettinger. Its 32 bits of state are enough for made-up people. */
export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const at = <T>(list: readonly T[], index: number): T => {
    const found = list[index]
    if (found === undefined) throw new Error('There is nothing to choose from')
    return found
  }
  return {
    next,
    whole: (min, max) => min + Math.floor(next() * (max - min + 1)),
    of: (list) => at(list, Math.floor(next() * list.length)),
    early: (list) => at(list, Math.floor(next() ** 1.8 * list.length)),
    percent: (percent) => next() * 100 < percent,
  }
}
