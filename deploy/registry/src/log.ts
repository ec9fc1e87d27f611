import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Generations } from './generations.ts'
import { LogLine } from './schemas.ts'
import type { Store } from './store.ts'

/**
 * Who did what. A change of what is live is its generation, which says so itself and cannot be lost; here is the rest:
 * uploads, refusals, keys, revocations.
 */
export function openLog(store: Store, generations: Generations) {
  /** A failure to write the log does not fail the change or the refusal that it records. */
  async function write(line: Omit<LogLine, 'at'>): Promise<void> {
    const at = new Date().toISOString()
    const key = `log/${at.replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.json`
    await store.create(key, JSON.stringify({ at, ...line })).catch(() => false)
  }

  /** The last lines, newest first. */
  async function read(count = 200): Promise<LogLine[]> {
    const lines: LogLine[] = []
    for (const key of (await store.list('log')).slice(-count)) {
      const data = await store.read(key)
      const found = data && v.safeParse(LogLine, JSON.parse(data.toString()))
      if (found?.success) lines.push(found.output)
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
