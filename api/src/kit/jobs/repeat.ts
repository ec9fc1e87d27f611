import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../process/context.ts'

/** Runs a task again and again, `ms` after it ended. Failures are logged. Returns the function that stops it. */
export function repeat(
  { log }: Context,
  name: string,
  ms: number,
  task: () => Promise<void>,
): () => Promise<void> {
  const closing = new AbortController()
  const finished = loop()
  async function loop() {
    while (!closing.signal.aborted) {
      try {
        await task()
      } catch (error) {
        log.error({ err: error }, name)
      }
      await wait(ms, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  return async () => {
    closing.abort()
    await finished
  }
}
