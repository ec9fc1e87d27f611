import type { PortalRegistry } from '@portal/registry'
import type { Actor } from '../kit/http/session.ts'

type Live = Awaited<ReturnType<PortalRegistry['verified']>>

const cache = new WeakMap<PortalRegistry, Live>()

/**
 * The live modules, with every entry verified. The result is cached per generation, because every change of the
 * registry is a new generation, and so is a revocation.
 */
export async function liveModules(registry: PortalRegistry): Promise<Live> {
  const { generation } = await registry.now()
  const known = cache.get(registry)
  if (known?.generation === generation) return known
  const verified = await registry.verified()
  cache.set(registry, verified)
  return verified
}

/**
 * The live entry of a module, even if it is disabled or withheld. Undefined if the registry has no module of this name.
 */
export const liveModule = async (registry: PortalRegistry, name: string) =>
  (await liveModules(registry)).modules.find((each) => each.name === name)

export type LiveEntry = Live['modules'][number]

/** The builds of a module that some browser may run: the live one first, then those for other majors and a canary. */
export const runningBuilds = (entry: LiveEntry) => [
  entry,
  ...(entry.beside ?? []),
  ...(entry.canary ? [entry.canary.module] : []),
]

/** The build that this person's page runs: the one that an isolated module names, or her canary, or what is live. */
export async function askingBuild(registry: PortalRegistry, actor: Actor, entry: LiveEntry) {
  const [, named] = actor.module?.split('/') ?? []
  if (named)
    return (
      runningBuilds(entry).find(({ build }) => build === named) ?? registry.builds.sealed(entry.name, named)
    )
  const person = { id: actor.id, roles: actor.roles.map(({ name }) => name) }
  if (!entry.canary || !registry.isCanary(entry, person)) return entry
  const { module } = entry.canary
  return (await registry.mayRun(await liveModules(registry), person, entry.name, module.build))
    ? module
    : entry
}
