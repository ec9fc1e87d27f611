import {
  appendFile,
  closeSync,
  existsSync,
  fdatasync,
  mkdirSync,
  openSync,
  readSync,
  truncateSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const append = promisify(appendFile)
const sync = promisify(fdatasync)

/** How long the first line waits for others, so that one sync covers them all. */
const gatherMs = 2
const chunkBytes = 1 << 20
const newline = 0x0a

type Batch = { lines: string[]; durable: Promise<void>; settle: () => void }

/** An append-only file of JSON lines; `durable()` resolves once everything appended so far is synced to disk. */
export class Journal<Event> {
  readonly #file: number
  readonly #onFailure: (error: unknown) => void
  #gathering: Batch | undefined
  #writing: Batch | undefined
  #running = false

  /** Replays the file, removes an incomplete last line, and opens the file for appending. */
  constructor(path: string, replay: (event: Event) => void, onFailure: (error: unknown) => void) {
    mkdirSync(dirname(path), { recursive: true })
    if (existsSync(path)) truncateSync(path, replayLines(path, replay))
    this.#file = openSync(path, 'a', 0o600)
    this.#onFailure = onFailure
  }

  append(event: Event): void {
    this.#gathering ??= newBatch()
    this.#gathering.lines.push(`${JSON.stringify(event)}\n`)
    if (this.#running) return
    this.#running = true
    setTimeout(() => this.#run().catch(this.#onFailure), gatherMs)
  }

  durable(): Promise<void> {
    return (this.#gathering ?? this.#writing)?.durable ?? Promise.resolve()
  }

  /** Syncs one batch at a time. Lines that arrive during a sync share the next one. */
  async #run(): Promise<void> {
    while (this.#gathering) {
      this.#writing = this.#gathering
      this.#gathering = undefined
      await append(this.#file, this.#writing.lines.join(''))
      await sync(this.#file)
      this.#writing.settle()
      this.#writing = undefined
    }
    this.#running = false
  }
}

function newBatch(): Batch {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { lines: [], durable: promise, settle: resolve }
}

/** Returns the number of bytes in complete lines. An incomplete last line was never acknowledged, so it may be removed. */
function replayLines<Event>(path: string, replay: (event: Event) => void): number {
  const file = openSync(path, 'r')
  const chunk = Buffer.allocUnsafe(chunkBytes)
  let rest = Buffer.alloc(0)
  let whole = 0
  let line = 0
  try {
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      const data = Buffer.concat([rest, chunk.subarray(0, size)])
      let start = 0
      for (let end = data.indexOf(newline); end >= 0; end = data.indexOf(newline, start)) {
        line += 1
        replay(parseLine<Event>(data.toString('utf8', start, end), path, line))
        start = end + 1
      }
      whole += start
      rest = data.subarray(start)
    }
  } finally {
    closeSync(file)
  }
  return whole
}

function parseLine<Event>(text: string, path: string, line: number): Event {
  try {
    return JSON.parse(text) as Event
  } catch {
    throw new Error(
      `The ledger ${path} is damaged at line ${line}: restore it, or move it away to start an empty one.`,
    )
  }
}
