import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { PortalRegistry } from '@portal/registry'
import type { Entry } from '@portal/registry/schemas'
import { type Registry, type RegistryModule, readRegistry } from '@portal/sdk/manifest'
import type { FastifyInstance } from 'fastify'
import { watchedFile } from './pages.ts'

/** Whoever asks for a page: what a canary is decided by. */
export type Visitor = { id: number; roles: readonly string[] }

/** What is live at one moment, with the forms of it that pages get. */
export type Live = {
  etag: string
  /** As it stands in `/modules.json`: what is live for everybody, signatures included. */
  text: string
  /** As a page gets it: with the canaries that are this visitor's, without what no page reads. */
  forVisitor(visitor: Visitor | null): { registry: Registry; text: string }
}

const none: Live = asLive({ generation: 0, shell: null, modules: [] })

function asLive(registry: Omit<Registry, 'modules'> & { modules: Entry[] }): Live {
  const { generation, shell, modules } = registry
  const settled = modules.map((entry) => chosen(entry, null))
  const text = JSON.stringify({ generation, shell, modules: settled })
  const canaries = modules.filter(({ canary }) => canary)
  const variants = new Map<string, { registry: Registry; text: string }>()
  return {
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    text,
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
  return newer ? { ...canary.module, disabled: entry.disabled } : entry
}

/** Whether a visitor is in the canary: by a hash of the person, the same on every page and machine, or by role. */
function isCanary({ name, canary }: Entry, visitor: Visitor | null): boolean {
  if (!canary || !visitor) return false
  if (visitor.roles.some((role) => canary.roles.includes(role))) return true
  const share = createHash('sha256').update(`${name} ${visitor.id}`).digest().readUInt32BE() / 2 ** 32
  return share < (canary.percent ?? 0) / 100
}

/** The entry without fields that pages do not read: keys, server-only fields and flags that are false. */
function slim(module: RegistryModule) {
  const { signature: _, permissions: __, collections: ___, resources: ____, ...shown } = module
  const { cards, disabled, withheld, ...rest } = shown
  return {
    ...rest,
    ...(cards.length && { cards }),
    ...(disabled && { disabled }),
    ...(withheld && { withheld }),
  }
}

/** What the build left in `dist/modules.json`, where there is no registry. */
export function liveFromFile(app: FastifyInstance, distDir: string): () => Promise<Live | null> {
  const read = watchedFile(join(distDir, 'modules.json'))
  let held: { etag: string; live: Live } | undefined
  return async () => {
    const file = await read()
    if (!file) return null
    if (held?.etag !== file.etag) {
      const { registry, broken } = readRegistry(file.text)
      for (const fault of broken) app.log.error(`modules.json is not in order, ${fault}`)
      held = { etag: file.etag, live: asLive(registry) }
    }
    return held.live
  }
}

const farAway = 2_000

/**
 * What the registry says is live, each entry verified once per generation. A store on this machine is asked at every page
 * (one stat), another every two seconds; when it cannot be asked, what was live last is served on.
 */
export function liveFromRegistry(app: FastifyInstance, registry: PortalRegistry): () => Promise<Live> {
  let held: { generation: number; live: Live } | undefined
  let asking: Promise<Live> | undefined

  async function ask(): Promise<Live> {
    try {
      const { generation } = await registry.now()
      if (held?.generation !== generation) {
        const verified = await registry.verified()
        for (const { name, build, withheld } of verified.modules)
          if (withheld) app.log.error(`${name} ${build} is withheld: ${withheld}`)
        held = { generation: verified.generation, live: asLive(verified) }
      }
    } catch (fault) {
      app.log.error({ err: fault }, 'the registry cannot be read: what was live last is served')
    }
    return held?.live ?? none
  }

  /** One look-up for all concurrent requests. */
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
  return async () => held?.live ?? fresh()
}
