import type { Endpoint } from '@portal/contracts/endpoint'
import { moduleNotices } from '@portal/contracts/module-notices'
import type { PortalRegistry } from '@portal/registry'
import type { ModuleBuild } from '@portal/sdk/manifest'
import type { AskedCall, Caller, CallerCheck } from '../kit/callers.ts'
import { forbidden } from '../kit/refusals.ts'
import type { Actor } from '../kit/session.ts'
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
    if (!names(manifest, call)) throw forbidden(say.callNotNamed(manifest.name))
  }
}

/** Whether a manifest lets its module make a call: to its own records and servers, or one of its `calls`. */
function names(manifest: ModuleBuild, { endpoint, params }: AskedCall): boolean {
  if (!isForModules(endpoint)) return false
  if (endpoint.path === '/modules/reports') return true
  if (!endpoint.path.startsWith('/modules/'))
    return (manifest.calls ?? []).includes(`${endpoint.method} ${endpoint.path}`)
  if (params.module !== manifest.name) return false
  if (endpoint.path === moduleNotices.send.path) return (manifest.notices ?? []).length > 0
  if ('collection' in params) return manifest.collections.some(({ name }) => name === params.collection)
  return (manifest.backends ?? []).some(({ name }) => name === params.backend)
}

const notForPeople: readonly unknown[] = ['public', 'invite', 'machine', 'signed']

/** What is for a person alone stays closed, whatever a manifest names: the own account, and acts that ask for the password. */
const isForModules = ({ access, fresh, beforeCodes }: Endpoint): boolean =>
  !notForPeople.includes(access) && !fresh && !beforeCodes
