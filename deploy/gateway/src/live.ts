import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { PortalRegistry } from '@portal/registry'
import { type Admitted, admitAll, admittedBuilds, isCanary, type Visitor } from '@portal/registry/audience'
import type { Entry } from '@portal/registry/schemas'
import { majorOf } from '@portal/sdk/majors'
import { type Registry, type RegistryModule, readRegistry } from '@portal/sdk/manifest'
import type { FastifyInstance } from 'fastify'
import { watchedFile } from './pages.ts'

/** The live modules at one moment, in the forms that are sent to browsers. */
export type Live = {
  etag: string
  /** The content of `/modules.json`: what is live for everybody, with signatures. */
  text: string
  /** The content for a page: with the canaries of this visitor, and without fields that no page reads. */
  forVisitor(visitor: Visitor | null): { registry: Registry; text: string }
  /** Who gets the files of which build. */
  admitted: Admitted
}

const none: Live = asLive({ generation: 0, shell: null, modules: [] }, () => [])

function asLive(registry: Omit<Registry, 'modules'> & { modules: Entry[] }, admitted: Admitted): Live {
  const { generation, shell, modules } = registry
  const settled = modules.map((entry) => chosen(entry, null))
  const text = JSON.stringify({ generation, shell, modules: settled })
  const canaries = modules.filter(({ canary }) => canary)
  const variants = new Map<string, { registry: Registry; text: string }>()
  return {
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    text,
    admitted,
    forVisitor(visitor) {
      const key = canaries.map((entry) => (isCanary(entry, visitor) ? entry.name : '')).join()
      let found = variants.get(key)
      if (!found) {
        const own = { generation, shell, modules: modules.map((entry) => chosen(entry, visitor)) }
        found = { registry: own, text: JSON.stringify({ ...own, modules: own.modules.map(slim) }) }
        variants.set(key, found)
      }
      return found
    },
  }
}

function chosen({ canary, pinned: _, ...entry }: Entry, visitor: Visitor | null): RegistryModule {
  const newer = canary && isCanary({ ...entry, canary }, visitor)
  if (!newer) return entry
  const { beside: already = [], ...top } = entry
  const beside = [top, ...already].filter(
    ({ contract }) => majorOf(contract) !== majorOf(canary.module.contract),
  )
  return { ...canary.module, disabled: entry.disabled, ...(beside.length && { beside }) }
}

/** The entry without fields that pages do not read: keys, server-only fields and flags that are false. */
function slim(module: RegistryModule): object {
  const {
    signature: _,
    permissions: __,
    collections: ___,
    backends: ____,
    resources: _____,
    first_day: ______,
    calls: _______,
    ...shown
  } = module
  const { cards, disabled, withheld, beside, ...rest } = shown
  return {
    ...rest,
    ...(beside?.length && { beside: beside.map(slim) }),
    ...(cards.length && { cards }),
    ...(disabled && { disabled }),
    ...(withheld && { withheld }),
  }
}

/** The live modules from `dist/modules.json`, for a gateway without a registry. */
export function liveFromFile(app: FastifyInstance, distDir: string): LiveNow {
  const read = watchedFile(join(distDir, 'modules.json'))
  let cached: { etag: string; live: Live } | undefined
  return async () => {
    const file = await read()
    if (!file) return null
    if (cached?.etag !== file.etag) {
      const { registry, broken } = readRegistry(file.text)
      for (const fault of broken) app.log.error(`modules.json is not in order, ${fault}`)
      cached = { etag: file.etag, live: asLive(registry, admitAll) }
    }
    return cached.live
  }
}

const farAway = 2_000

/** What is live. With `now` a store far away is asked at once. */
export type LiveNow = (now?: boolean) => Promise<Live | null>

/**
 * The live modules from the registry. Each entry is verified once per generation. A store on this machine is read for
 * every page (one stat), another store every two seconds. If it cannot be read, the last known state is served.
 */
export function liveFromRegistry(app: FastifyInstance, registry: PortalRegistry) {
  let cached: { generation: number; live: Live } | undefined
  let asking: Promise<Live> | undefined

  async function ask(): Promise<Live> {
    try {
      const { generation } = await registry.now()
      if (cached?.generation !== generation) {
        const verified = await registry.verified()
        for (const { name, build, withheld } of verified.modules)
          if (withheld) app.log.error(`${name} ${build} is withheld: ${withheld}`)
        const admitted = await admittedBuilds(registry, verified)
        cached = { generation: verified.generation, live: asLive(verified, admitted) }
      }
    } catch (fault) {
      app.log.error({ err: fault }, 'the registry cannot be read: what was live last is served')
    }
    return cached?.live ?? none
  }

  /** One look-up serves all concurrent requests. */
  const fresh = () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
  if (registry.store.near) return fresh
  const timer = setInterval(() => void fresh(), farAway)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return async (now = false) => (now ? fresh() : (cached?.live ?? fresh()))
}
