import { expect, test } from 'vitest'
import { RegistryRefusal } from '../../../deploy/registry/src/refusals.ts'
import { openRegistry } from '../../../deploy/registry/src/registry.ts'
import { diskStore } from '../../../deploy/registry/src/store.ts'
import { build, startRegistry } from '../../../deploy/registry/test/test-registry.ts'
import { damagedBytes, oneOf } from '../mutations/bytes.ts'
import { Random } from '../random.ts'

/**
 * A store whose files a bad disk damages. A failure names the seed; `RANDOM_SEED` and `RANDOM_RUNS` make others, and more.
 */
const seed = Number(process.env.RANDOM_SEED ?? 20_261_130)
const runs = Number(process.env.RANDOM_RUNS ?? 1)

test(
  'whoever opens the portal is served from a store with a damaged file, and staff read the rest of its state and log',
  async () => {
    const { person, registry, folder } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    expect((await awa.publish(build())).status).toBe(201)
    expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
    await registry.change({
      name: 'mfe-users',
      action: 'disable',
      generation: 2,
      by: 'administrator Fatou Sy',
    })
    expect((await awa.publish(build('1.1.0'))).status).toBe(201)
    const store = diskStore(folder)
    const folders = ['generations', 'builds', 'admitted', 'log', 'shells', 'keys', 'modules', 'uploads']
    const keys = (await Promise.all(folders.map((name) => store.list(name)))).flat()
    const files = [...keys.filter((key) => key.endsWith('.json')), 'current.json']
    const faults: string[] = []
    for (let n = 0; n < 60 * runs; n++) {
      const random = new Random(seed + n)
      const key = oneOf(random, files)
      const good = (await store.read(key)) ?? Buffer.alloc(0)
      const { what, bytes } = damagedBytes(random, good)
      await store.replace(key, bytes)
      const again = openRegistry({ store: diskStore(folder) })
      const reads = {
        now: again.now,
        verified: again.verified,
        status: again.status,
        waiting: again.waiting,
        history: () => again.history('mfe-health'),
        diff: () => again.diff(1, 3),
        log: () => again.log.read(),
        builds: () => again.builds.list('mfe-health'),
      }
      for (const [name, read] of Object.entries(reads))
        await Promise.resolve(read()).catch((error: Error) => {
          if (!(error instanceof RegistryRefusal))
            faults.push(`${seed + n} ${what} of ${key}, ${name}: ${error.message}`)
        })
      await store.replace(key, good)
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)
