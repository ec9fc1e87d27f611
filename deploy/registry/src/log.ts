import { randomBytes } from 'node:crypto'
import type { Generations } from './generations.ts'
import { LogLine } from './schemas.ts'
import type { Store } from './store.ts'
import { readStored } from './stored-json.ts'

/**
 * The log of the registry. Changes of what is live are recorded by their generations. This log has the rest:
 * uploads, refusals, keys, revocations.
 */
export function openLog(store: Store, generations: Generations) {
  /** Writes a line. A failure to write does not fail the call that is logged. */
  async function write(line: Omit<LogLine, 'at'>): Promise<void> {
    const at = new Date().toISOString()
    const key = `log/${at.replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.json`
    await store.create(key, JSON.stringify({ at, ...line })).catch(() => false)
  }

  /** The last lines, newest first. */
  async function read(count = 200): Promise<LogLine[]> {
    const lines: LogLine[] = []
    for (const key of (await store.list('log')).slice(-count)) {
      const found = await readStored(store, key, LogLine)
      if (found) lines.push(found)
    }
    for await (const { at, by, what, module, generation } of generations.down()) {
      const message = module ? `${what} ${module}` : what
      lines.push({ at, by, what, ok: true, message, generation })
      if (lines.length >= 2 * count) break
    }
    return lines.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, count)
  }

  return { write, read }
}

/**
 * Whether a line is about a module. A sentence names its module first; a module that is only mentioned, because another
 * one clashed with it, does not make the line its own.
 */
export const isAbout = ({ what, message }: LogLine, module: string): boolean =>
  what.includes(`/modules/${module}/`) || message.split(' ').slice(0, 2).includes(module)
