import { type Client, createClient } from '@portal/client/client'
import { callerHeader } from '@portal/contracts/backend-answers'
import type { Endpoint } from '@portal/contracts/endpoint'
import { currentLocale } from '@portal/i18n/locale'
import type { Caller } from '../own-servers/token.ts'
import type { Loaded } from './container.ts'

/** Calls of a module to its servers on this machine go there. All others go to `client`. */
export function withOwnServers(
  client: Client,
  { name, own_servers = [] }: Loaded['record'],
  caller: () => Caller,
): Client {
  const own = createClient({
    base: '/api',
    locale: currentLocale,
    fetch: (address, init) => {
      const headers = new Headers(init?.headers)
      headers.set(callerHeader, encodeURIComponent(JSON.stringify(caller())))
      return fetch(address, { ...init, headers })
    },
  })
  const isOwn = ({ path }: Endpoint) =>
    own_servers.some((server) => path.startsWith(`/modules/${name}/backend/${server}/`))
  return { ...client, call: (endpoint, ...rest) => (isOwn(endpoint) ? own : client).call(endpoint, ...rest) }
}
