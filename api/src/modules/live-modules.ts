import type { PortalRegistry } from '@portal/registry'

type Live = Awaited<ReturnType<PortalRegistry['verified']>>

const held = new WeakMap<PortalRegistry, Live>()

/** What is live, every entry verified, once for each generation: a revocation is a generation too. */
export async function liveModules(registry: PortalRegistry): Promise<Live> {
  const { generation } = await registry.now()
  const known = held.get(registry)
  if (known?.generation === generation) return known
  const verified = await registry.verified()
  held.set(registry, verified)
  return verified
}

/** A module that is live, whatever its state; undefined for one that nobody has announced. */
export const liveModule = async (registry: PortalRegistry, name: string) =>
  (await liveModules(registry)).modules.find((each) => each.name === name)
