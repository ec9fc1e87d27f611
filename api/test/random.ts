/** Random numbers computed from a seed, so that a schedule can be repeated. */
export class Random {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }
  /** From 0 up to 1, without 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  between(min: number, max: number): number {
    return Math.floor(min + this.next() * (max - min + 1))
  }
  chance(share: number): boolean {
    return this.next() < share
  }
}
