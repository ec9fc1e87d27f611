import { fork } from 'node:child_process'
import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { sentence } from '@portal/contracts/imports/import-sentences'
import type { Cell, Sheet, SheetRow } from '@portal/contracts/imports/sheet'
import type { FoundSheet } from '@portal/excel/find-sheet'
import { inspectSource } from '@portal/excel/inspect'
import { WorkbookProblem } from '@portal/excel/limits'
import { inTurn } from './in-turn.ts'
import type { LookedAt } from './look.ts'
import type { FromReader, ToReader } from './reader.ts'
import { fileSource } from './zip.ts'

export type { FoundSheet } from '@portal/excel/find-sheet'

/** Time limits in milliseconds for waiting for the reader. Pauses of the caller do not count, nor does waiting for a turn. */
const timeoutsMs = { check: 20_000, read: 180_000 }

/**
 * A reader may take most of a gigabyte, so a process has two for the files that arrive. Those of jobs are not counted: a worker
 * has few jobs that read, and each lasts as long as its rows are written.
 */
const inTurnForUploads = inTurn(2, 20)
const readerFile = new URL('./reader.ts', import.meta.url)

/**
 * Checks container, sheet and headings before the call answers. Rows are counted only if the file is large enough to
 * contain too many. `problem` is a sentence for `say`.
 */
export async function checkHeadings<Key extends string>(
  path: string,
  sheet: Sheet<Key>,
): Promise<{ ok: FoundSheet<Key> } | { problem: string }> {
  try {
    const message = await askReader({ task: 'check', path, sheet })
    if ('found' in message) return { ok: message.found as FoundSheet<Key> }
    return { problem: 'problem' in message ? message.problem : sentence('workbook_damaged') }
  } catch (error) {
    if (error instanceof WorkbookProblem) return { problem: error.problem }
    throw error
  }
}

/** The headings and first rows of a workbook, also of one that lacks columns. Throws a WorkbookProblem for other files. */
export async function lookAtWorkbook(path: string, sheet: Sheet): Promise<LookedAt> {
  const message = await askReader({ task: 'look', path, sheet })
  if ('looked' in message) return message.looked
  throw 'problem' in message
    ? new WorkbookProblem(...parts(message.problem))
    : new WorkbookProblem('workbook_damaged')
}

/** The only message of a reader that looks at an upload. */
const askReader = (task: Task) =>
  inTurnForUploads(async () => {
    const reader = await startReader(task, timeoutsMs.check)
    try {
      return await reader.next()
    } finally {
      await reader.stop()
    }
  })

/**
 * Reads the rows below the headings in batches of 500, on request. Throws a WorkbookProblem if the file cannot be read
 * to its end. Leaving the loop or aborting `signal` stops the reader.
 */
export async function* readRows<Key extends string>(
  path: string,
  sheet: Sheet<Key>,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<SheetRow<Key>[]> {
  signal?.throwIfAborted()
  const reader = await startReader({ task: 'rows', path, sheet }, timeoutsMs.read, signal)
  const keys = Object.keys(sheet.columns) as Key[]
  try {
    // With this extra request the reader prefetches one batch while the caller works on another.
    reader.ask()
    while (true) {
      reader.ask()
      const message = await reader.next()
      if ('problem' in message) throw new WorkbookProblem(...parts(message.problem))
      if (!('rows' in message)) return
      yield message.rows.map((row, index) => ({
        row,
        cells: cellsOf(keys, message.cells, index * keys.length),
      }))
    }
  } finally {
    await reader.stop()
  }
}

function cellsOf<Key extends string>(keys: Key[], cells: Cell[], from: number): Partial<Record<Key, Cell>> {
  const row: Partial<Record<Key, Cell>> = {}
  for (const [index, key] of keys.entries()) row[key] = cells[from + index] ?? null
  return row
}

const parts = (problem: string) => problem.split('|') as Parameters<typeof sentence>

/** Detects the kind of a workbook by its content. Throws for other files. */
async function kindOf(path: string): Promise<'xlsx' | 'xls'> {
  const file = await open(path)
  try {
    return (await inspectSource(await fileSource(file))).kind
  } finally {
    await file.close()
  }
}

type Task = Exclude<ToReader, 'next'>
type Reader = { next(): Promise<FromReader>; ask(): void; stop(): Promise<unknown> }

/** Starts a thread or process that reads a file. Its time limit counts only while the caller waits for a message. */
async function startReader(task: Task, budget: number, signal?: AbortSignal): Promise<Reader> {
  const kind = await kindOf(task.path)
  const got: (FromReader | Error)[] = []
  let wake: (() => void) | undefined
  const take = (message: FromReader | Error) => {
    got.push(message)
    wake?.()
  }
  const { post, stop } = kind === 'xls' ? startProcess(take) : startThread(take)
  const abort = () => take(signal?.reason instanceof Error ? signal.reason : new Error('Aborted'))
  signal?.addEventListener('abort', abort)
  post(task)
  let left = budget
  return {
    ask: () => post('next'),
    stop: () => {
      signal?.removeEventListener('abort', abort)
      return stop()
    },
    async next() {
      if (got.length === 0) {
        const since = performance.now()
        const timer = setTimeout(() => take(new WorkbookProblem('workbook_too_heavy')), Math.max(0, left))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        clearTimeout(timer)
        left -= performance.now() - since
      }
      const message = got.shift()
      if (message instanceof Error || message === undefined)
        throw message ?? new WorkbookProblem('workbook_too_heavy')
      return message
    },
  }
}

type Take = (message: FromReader | Error) => void

// Neither thread nor process gets the server's environment, because code that reads untrusted files needs no secrets. Where
// compiled code is cached, they use the cache: a thread then starts with a third of the processor time.
const { NODE_COMPILE_CACHE: cache } = process.env
const readerEnv = cache ? { NODE_COMPILE_CACHE: cache } : {}

function startThread(take: Take) {
  const thread = new Worker(readerFile, {
    env: readerEnv,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 },
  })
  thread.on('message', take)
  thread.on('error', (error: NodeJS.ErrnoException) =>
    take(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new WorkbookProblem('workbook_too_heavy') : error),
  )
  thread.on('exit', () => take(new WorkbookProblem('workbook_too_heavy')))
  return { post: (message: ToReader) => thread.postMessage(message), stop: () => thread.terminate() }
}

function startProcess(take: Take) {
  const child = fork(fileURLToPath(readerFile), {
    env: readerEnv,
    execArgv: ['--max-old-space-size=768'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('message', (message) => take(message as FromReader))
  const ended = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      take(error)
      // A process that could not be started does not exit either.
      if (child.pid === undefined) resolve()
    })
    child.on('exit', () => {
      // It exits by itself only if it ran out of memory or crashed on the file.
      take(new WorkbookProblem('workbook_too_heavy'))
      resolve()
    })
  })
  return {
    post: (message: ToReader) => void (child.connected && child.send(message)),
    // Its memory is free once it has ended.
    stop: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}
