import type { PortalRegistry } from '@portal/registry'
import type { Actor } from '../kit/http/session.ts'
import { askingBuild, liveModule } from './live-modules.ts'

/** The addresses of the isolated module that calls, as its own build has them; null for a call of the portal itself. */
export async function askingRoutes(
  registry: PortalRegistry,
  actor: Actor,
): Promise<readonly string[] | null> {
  const [name] = actor.module?.split('/') ?? []
  if (!name) return null
  const entry = await liveModule(registry, name)
  const build = entry && (await askingBuild(registry, actor, entry))
  return build?.routes ?? []
}
