import type { Random } from '../random.ts'

type Task = { at: number; tie: number; run: () => void }

/** Simulated time. The next due task runs at once, and the seed decides the order of tasks with the same time. */
export class Clock {
  now = 0
  readonly random: Random
  readonly #tasks: Task[] = []

  constructor(random: Random) {
    this.random = random
  }

  after(ms: number, run: () => void): void {
    const task = { at: this.now + ms, tie: this.random.next(), run }
    let place = this.#tasks.length
    this.#tasks.push(task)
    // A binary heap: the earliest task is the first.
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!before(task, this.#tasks[parent] as Task)) break
      this.#tasks[place] = this.#tasks[parent] as Task
      place = parent
    }
    this.#tasks[place] = task
  }

  /** Runs all tasks that are due until a moment or until `done`. False if the moment came first. */
  run(until: number, done: () => boolean): boolean {
    while (!done()) {
      const next = this.#tasks[0]
      if (!next || next.at > until) {
        this.now = Math.max(this.now, until)
        return done()
      }
      this.#removeFirst()
      // During an absence the clock jumps, so a task may run later than its time.
      this.now = Math.max(this.now, next.at)
      next.run()
    }
    return true
  }

  #removeFirst(): void {
    const last = this.#tasks.pop() as Task
    const size = this.#tasks.length
    if (size === 0) return
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= size) break
      if (child + 1 < size && before(this.#tasks[child + 1] as Task, this.#tasks[child] as Task)) child += 1
      if (!before(this.#tasks[child] as Task, last)) break
      this.#tasks[place] = this.#tasks[child] as Task
      place = child
    }
    this.#tasks[place] = last
  }
}

function before(one: Task, other: Task): boolean {
  return one.at < other.at || (one.at === other.at && one.tie < other.tie)
}
