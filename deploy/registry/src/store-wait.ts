import { S3Fault } from './s3-store.ts'
import { placeOfStore } from './settings.ts'
import type { Store } from './store.ts'
import { waitFor } from './wait.ts'

/**
 * Waits for a bucket that does not answer yet, and says so. A refusal is not waited for, nor a store that would lose changes.
 */
export async function waitForStore(store: Store, env: Record<string, string | undefined>): Promise<void> {
  const { probe } = store
  if (!probe) return
  await waitFor(probe, {
    what: placeOfStore(env),
    limitMs: Number(env.PORTAL_START_SECONDS || 600) * 1000,
    isFinal: (error) => error instanceof S3Fault && error.refused,
    tell: (line) => process.stdout.write(`${line}\n`),
  })
}
