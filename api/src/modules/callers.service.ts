import { isNamed } from '@portal/contracts/module-calls'
import type { PortalRegistry } from '@portal/registry'
import type { ModuleBuild } from '@portal/sdk/manifest'
import type { Caller, CallerCheck } from '../kit/http/callers.ts'
import { forbidden } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { liveModules } from './live-modules.ts'
import { say } from './messages.ts'

/**
 * Checks calls that the shell makes for an isolated module. Its build has to be one whose files this person gets, and its
 * own manifest has to name the call. This only ever takes rights away: the permissions of the person are checked as for
 * every call.
 */
export function openCallers(registry: PortalRegistry): CallerCheck {
  /** A build never changes. */
  const manifests = new Map<string, ModuleBuild>()

  async function manifestOf(visitor: Actor | null, { name, build }: Caller): Promise<ModuleBuild | null> {
    const person = visitor && { id: visitor.id, roles: visitor.roles.map((role) => role.name) }
    if (!(await registry.mayRun(await liveModules(registry), person, name, build))) return null
    const key = `${name}/${build}`
    const manifest = manifests.get(key) ?? (await registry.builds.sealed(name, build))
    if (manifest) manifests.set(key, manifest)
    return manifest
  }

  return async (caller, visitor, call) => {
    const manifest = caller && (await manifestOf(visitor, caller))
    if (!manifest) throw forbidden(say.callerNotInUse)
    if (!isNamed(manifest, call.endpoint, call.params)) throw forbidden(say.callNotNamed(manifest.name))
  }
}
