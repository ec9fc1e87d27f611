import type { Clock } from './clock.ts'

/** A process that may be frozen or killed; what reaches it meanwhile waits, or is gone with it. */
export class Process {
  readonly #clock: Clock
  #alive = true
  #frozen = false
  #waiting: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Alive and not frozen. */
  get runs(): boolean {
    return this.#alive && !this.#frozen
  }

  /** Runs something in this process after a time, as a timer or an answer does. */
  after(ms: number, run: () => void): void {
    this.#clock.after(ms, () => this.#deliver(run))
  }

  /**
   * A call to somebody else: it is carried out there after a time, whatever becomes of this process, and its answer
   * comes back after another. `there` gives undefined where no answer ever leaves.
   */
  call<T>(out: number, back: number, there: () => T | undefined, answered: (answer: T) => void): void {
    this.#clock.after(out, () => {
      const answer = there()
      if (answer !== undefined) this.#clock.after(back, () => this.#deliver(() => answered(answer)))
    })
  }

  kill(): void {
    this.#alive = false
    this.#waiting = []
  }

  freeze(ms: number): void {
    this.#frozen = true
    this.#clock.after(ms, () => {
      this.#frozen = false
      for (const run of this.#waiting.splice(0)) this.#deliver(run)
    })
  }

  #deliver(run: () => void): void {
    if (!this.#alive) return
    if (this.#frozen) this.#waiting.push(run)
    else run()
  }
}
