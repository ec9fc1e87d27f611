import type { Endpoint } from './endpoint.ts'
import { moduleFlags } from './module-flags.ts'
import { moduleNotices } from './module-notices.ts'
import { moduleSettings } from './module-settings.ts'
import { approvesMoney } from './permissions.ts'

/** What a manifest says of the calls that its module makes. */
export type CallingManifest = {
  name: string
  collections: readonly { name: string }[]
  calls?: readonly string[] | undefined
  backends?: readonly { name: string }[] | undefined
  notices?: readonly unknown[] | undefined
}

type Params = Readonly<Record<string, string>>

/** Whether a manifest lets its isolated module make a call: to its own records and servers, or one of its `calls`. */
export function isNamed(manifest: CallingManifest, endpoint: Endpoint, params: Params): boolean {
  if (!isForModules(endpoint)) return false
  if (endpoint.path === '/modules/reports') return true
  if (!endpoint.path.startsWith('/modules/'))
    return (manifest.calls ?? []).includes(`${endpoint.method} ${endpoint.path}`)
  if (params.module !== manifest.name) return false
  if ([moduleFlags.own.path, moduleSettings.own.path].some((path) => path === endpoint.path)) return true
  if (endpoint.path === moduleNotices.send.path) return (manifest.notices ?? []).length > 0
  if ('collection' in params) return manifest.collections.some(({ name }) => name === params.collection)
  return (manifest.backends ?? []).some(({ name }) => name === params.backend)
}

const notForPeople: readonly unknown[] = ['public', 'invite', 'machine', 'signed']

/**
 * What is for a person alone stays closed, whatever a manifest names: the own account, acts that ask for the password, and acts
 * that approve money. A frame may show a person something else than what it calls for her (decision 208).
 */
const isForModules = (endpoint: Endpoint): boolean =>
  !notForPeople.includes(endpoint.access) && !endpoint.fresh && !endpoint.beforeCodes && !isApproval(endpoint)

const isApproval = ({ method, access }: Endpoint): boolean =>
  method !== 'GET' &&
  [access]
    .flat()
    .every((name) => Object.hasOwn(approvesMoney, name) && approvesMoney[name as keyof typeof approvesMoney])

/**
 * The same by an address instead of a call, for whoever has no list of calls: a portal's page with a module from a developer's
 * machine. It guards nothing, because such a module may be anything.
 */
export function isNamedAt(manifest: CallingManifest, method: string, address: string): boolean {
  const [path = ''] = address.split('?')
  const [, module, kind, name] =
    /^\/modules\/([^/]+)\/(records|backend|notices|flags|settings)(?:\/([^/]+))?/.exec(path) ?? []
  if (path === '/modules/reports') return true
  if (!module)
    return (manifest.calls ?? []).some((call) => {
      const [named, pattern = ''] = call.split(' ')
      return named === method && new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
    })
  if (module !== manifest.name) return false
  if (kind === 'flags' || kind === 'settings') return true
  if (kind === 'notices') return (manifest.notices ?? []).length > 0
  const own = kind === 'records' ? manifest.collections : (manifest.backends ?? [])
  return own.some((each) => each.name === name)
}
