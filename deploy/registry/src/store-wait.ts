import { RegistryRefusal } from './refusals.ts'
import { S3Fault } from './s3-calls.ts'
import { placeOfStore } from './settings.ts'
import type { Store } from './store.ts'
import { waitFor } from './wait.ts'

/**
 * Waits for a bucket that does not answer yet, and says so. A refusal is not waited for, nor a store that would lose changes.
 */
export async function waitForStore(store: Store, env: Record<string, string | undefined>): Promise<void> {
  const limitMs = startMs(env)
  const { probe } = store
  if (!probe) return
  await waitFor(probe, {
    what: placeOfStore(env),
    limitMs,
    isFinal: (error) => error instanceof S3Fault && error.refused,
    tell: (line) => process.stdout.write(`${line}\n`),
  })
}

/** As the api reads it. With anything else it would wait for ever. */
function startMs({ PORTAL_START_SECONDS: text }: Record<string, string | undefined>): number {
  if (text && (!/^\d+$/.test(text) || Number(text) > 86_400))
    throw new RegistryRefusal(422, 'PORTAL_START_SECONDS is a whole number from 0 to 86400.')
  return Number(text || 600) * 1000
}
