import type { PortalRegistry } from '@portal/registry'
import type { Entry, Generation } from '@portal/registry/schemas'

/** How long an open tab may still ask for files of a build that is no longer live. The build folder keeps them as long. */
const openTabs = 30 * 86_400_000

/** Who gets the files of a build: everybody, or the people of these canaries. An empty list is nobody. */
export type Audience = 'everybody' | readonly Entry[]

/** Who gets the files of which build. */
export type Admitted = (name: string, build: string) => Audience

/** Without a registry there are the builds of the build folder only, and all of them are the product's. */
export const admitAll: Admitted = () => 'everybody'

/**
 * The builds whose files are sent: what is live, what was live before it, canaries, and what open tabs may still run.
 * Everything else in the store is published code that nobody has let in, or code that was taken back.
 */
export async function admittedBuilds(registry: PortalRegistry, live: Generation): Promise<Admitted> {
  const everybody = new Map<string, number>()
  const canaries = new Map<string, { entry: Entry; until: number }[]>()
  const revoked = await registry.revocations.list()

  async function admit(entry: Entry, until: number) {
    const { name, build, previous, canary } = entry
    for (const id of [build, previous?.build]) {
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
