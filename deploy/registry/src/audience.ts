import { createHash } from 'node:crypto'
import { buildsOf } from './builds.ts'
import type { Revoked } from './keys.ts'
import type { RegistryParts } from './parts.ts'
import type { Entry, Generation } from './schemas.ts'

/** The person who requests a page or makes a call. Canaries are decided by id and roles. */
export type Visitor = { id: number; roles: readonly string[] }

/** How long an open tab may still ask for files of a build that is no longer live. The store keeps them as long. */
export const openTabs = 30 * 86_400_000

/** Who gets the files of a build: everybody, or the people of these canaries. An empty list is nobody. */
export type Audience = 'everybody' | readonly Entry[]

/** Who gets the files of which build. */
export type Admitted = (name: string, build: string) => Audience

/** What decides about the files that are sent. */
type AudienceSources = Pick<RegistryParts, 'generations' | 'revocations'> & {
  trusted: (name: string, build: string, revoked: Revoked) => Promise<boolean>
}

/** Without a registry there are the builds of the build folder only, and all of them are the product's. */
export const admitAll: Admitted = () => 'everybody'

/**
 * The builds whose files are sent: what is live, what was live before it, canaries, and what open tabs may still run.
 * Everything else in the store is published code that nobody has let in, or code that was taken back.
 */
export async function admittedBuilds(registry: AudienceSources, live: Generation): Promise<Admitted> {
  const everybody = new Map<string, number>()
  const canaries = new Map<string, { entry: Entry; until: number }[]>()
  const revoked = await registry.revocations.list()

  async function admit(entry: Entry, until: number) {
    const { name, canary } = entry
    for (const id of buildsOf(entry).flatMap(({ build, previous }) => [build, previous?.build])) {
      const key = `${name}/${id}`
      if (id && !everybody.has(key) && (await registry.trusted(name, id, revoked))) everybody.set(key, until)
    }
    if (!canary || !(await registry.trusted(name, canary.module.build, revoked))) return
    const key = `${name}/${canary.module.build}`
    canaries.set(key, [...(canaries.get(key) ?? []), { entry, until }])
  }

  for (const entry of live.modules) if (!entry.withheld) await admit(entry, Number.POSITIVE_INFINITY)
  const withheld = new Set(
    live.modules.flatMap((entry) => (entry.withheld ? [`${entry.name}/${entry.build}`] : [])),
  )
  let until = Date.parse(live.at) + openTabs
  for await (const { generation, at, modules } of registry.generations.down()) {
    if (generation >= live.generation) continue
    if (until < Date.now()) break
    for (const entry of modules) if (!withheld.has(`${entry.name}/${entry.build}`)) await admit(entry, until)
    until = Date.parse(at) + openTabs
  }

  return (name, build) => {
    const key = `${name}/${build}`
    if ((everybody.get(key) ?? 0) > Date.now()) return 'everybody'
    return (canaries.get(key) ?? []).filter(({ until }) => until > Date.now()).map(({ entry }) => entry)
  }
}

/** Whether a visitor gets the canary, by role or by a hash of the person that is the same on every page and machine. */
export function isCanary({ name, canary }: Entry, visitor: Visitor | null): boolean {
  if (!canary || !visitor) return false
  if (visitor.roles.some((role) => canary.roles.includes(role))) return true
  return shareOf(`${name} ${visitor.id}`) < (canary.percent ?? 0) / 100
}

/** A number from 0 to 1 that is the same for a text on every machine: who of many people is among a share of them. */
export const shareOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32

/** Whether a visitor may run a build now: its files are sent to them, and its module is neither disabled nor withheld. */
export function openRunning(registry: AudienceSources) {
  const known = new WeakMap<Generation, Promise<Admitted>>()
  return async (live: Generation, visitor: Visitor | null, name: string, build: string): Promise<boolean> => {
    const entry = live.modules.find((module) => module.name === name)
    if (!entry || entry.disabled || entry.withheld) return false
    const admitted = known.get(live) ?? admittedBuilds(registry, live)
    known.set(live, admitted)
    const audience = (await admitted)(name, build)
    return audience === 'everybody' || audience.some((canary) => isCanary(canary, visitor))
  }
}
