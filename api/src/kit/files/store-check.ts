import type { Context } from '../process/context.ts'
import { SettingsFault } from '../process/settings.ts'
import { StoreAway } from './bucket-calls.ts'

/**
 * Refuses to start if the store of the files refuses this portal. A store that does not answer is waited for by the calls
 * that need it, so the process starts.
 */
export async function refuseOtherStore({
  settings,
  storage,
  log,
}: Pick<Context, 'settings' | 'storage' | 'log'>) {
  try {
    await storage.probe?.(2_000)
  } catch (error) {
    if (error instanceof StoreAway && error.refused) {
      const { bucket, endpoint } = settings.filesBucket ?? {}
      throw new SettingsFault(
        `The store at ${endpoint} refuses the bucket ${bucket} (${error.code}): check S3_FILES_BUCKET, S3_KEY, S3_SECRET and S3_REGION, and the clock of this machine.`,
      )
    }
    log.error({ err: error }, 'the store of the files does not answer')
  }
}
