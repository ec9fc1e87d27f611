import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ModulesAddress } from '@portal/contracts/modules-address'
import type { PortalRegistry, Verified } from '@portal/registry'
import { type Admitted, admitAll, admittedBuilds, isCanary, type Visitor } from '@portal/registry/audience'
import type { Entry } from '@portal/registry/schemas'
import { majorOf } from '@portal/sdk/majors'
import { type Registry, type RegistryModule, readRegistry } from '@portal/sdk/manifest'
import type { FastifyInstance } from 'fastify'
import { watchedFile } from './pages.ts'

/** The registry of a page. */
export type ShownRegistry = Omit<Registry, 'modules'> & { modules: Shown[] }

/** The live modules at one moment, in the forms that are sent to browsers. */
export type Live = {
  etag: string
  /** The content of `/modules.json`: what is live for everybody, with signatures. */
  text: string
  /** The content for a page: with the canaries of this visitor, and without fields that no page reads. */
  forVisitor(visitor: Visitor | null): { registry: ShownRegistry; text: string }
  /** Who gets the files of which build. */
  admitted: Admitted
}

/** An entry as pages get it: with the origin of its frame, if it runs in one, or that a partner's runs in the page. */
export type Shown = RegistryModule & { isolated?: string; trusted?: true }

/** Which builds may run in the portal's own page, and which of them are partners'. */
type Places = Pick<Verified, 'inPage' | 'ofPartners'>

const none: Live = asLive({ generation: 0, shell: null, modules: [] }, () => [])

function asLive(
  registry: Omit<Registry, 'modules'> & { modules: Entry[] },
  admitted: Admitted,
  place: (module: RegistryModule) => Shown = (module) => module,
): Live {
  const { generation, shell, modules } = registry
  const settled = modules.map((entry) => chosen(entry, null))
  const text = JSON.stringify({ generation, shell, modules: settled })
  const canaries = modules.filter(({ canary }) => canary)
  const variants = new Map<string, { registry: ShownRegistry; text: string }>()
  return {
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    text,
    admitted,
    forVisitor(visitor) {
      const key = canaries.map((entry) => (isCanary(entry, visitor) ? entry.name : '')).join()
      let found = variants.get(key)
      if (!found) {
        const shown = modules.map((entry) => place(chosen(entry, visitor)))
        const own = { generation, shell, modules: shown }
        found = { registry: own, text: JSON.stringify({ ...own, modules: own.modules.map(slim) }) }
        variants.set(key, found)
      }
      return found
    },
  }
}

/**
 * Says of each build where it runs. Without hosts for frames a build that is not trusted does not run at all. The build
 * before is offered in the page only, and only if it may run there.
 */
const placing =
  (places: Places, modulesAt: ModulesAddress | null) =>
  (module: RegistryModule): Shown => {
    const { name, build, previous, beside } = module
    const { inPage, ofPartners } = places
    const place = placing(places, modulesAt)
    const placed = { ...module, ...(beside && { beside: beside.map(place) }) }
    if (inPage.has(`${name}/${build}`))
      return {
        ...placed,
        previous: previous && inPage.has(`${name}/${previous.build}`) ? previous : null,
        ...(ofPartners.has(`${name}/${build}`) && { trusted: true }),
      }
    return modulesAt
      ? { ...placed, previous: null, isolated: modulesAt.originOf(name) }
      : { ...placed, previous: null, withheld: module.withheld ?? 'isolated' }
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
function slim(module: Shown): object {
  const {
    signature: _,
    permissions: __,
    collections: ___,
    backends: ____,
    images: __________,
    resources: _____,
    first_day: ______,
    calls: _______,
    notices: ________,
    flags: _________,
    settings: ___________,
    ...shown
  } = module
  const { cards, disabled, withheld, beside, events, listens, ...rest } = shown
  return {
    ...rest,
    // The page carries them for a frame; a module in the page reads them in its own build.
    ...(rest.isolated && { events, listens }),
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

/** Who gets the files of a build. Another machine may have served a page of the next generation already, so it is asked for. */
export async function admittedNow(live: LiveNow, name: string, build: string): Promise<ReturnType<Admitted>> {
  const known = (await live())?.admitted(name, build) ?? []
  return known.length > 0 ? known : ((await live(true))?.admitted(name, build) ?? [])
}

const farAway = 2_000

/** What is live. With `now` a store far away is asked at once. */
export type LiveNow = (now?: boolean) => Promise<Live | null>

/**
 * The live modules from the registry. Each entry is verified once per generation. A store on this machine is read for
 * every page (one stat), another store every two seconds. If it cannot be read, the last known state is served.
 */
export function liveFromRegistry(
  app: FastifyInstance,
  registry: PortalRegistry,
  modulesAt: ModulesAddress | null,
) {
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
        const { generation, shell, modules } = verified
        const place = placing(verified, modulesAt)
        cached = { generation, live: asLive({ generation, shell, modules }, admitted, place) }
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
