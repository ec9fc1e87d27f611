import type { Clock } from './clock.ts'

/** A process that can be frozen or killed. Events wait while it is frozen, and are lost when it is killed. */
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

  /** Runs something in this process after a time, like a timer or a response. */
  after(ms: number, run: () => void): void {
    this.#clock.after(ms, () => this.#deliver(run))
  }

  /**
   * A remote call. It is executed after a time, even if this process has ended, and its response comes after another time.
   * `there` returns undefined if no response is sent.
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
