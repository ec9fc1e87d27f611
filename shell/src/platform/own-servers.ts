import { callerHeader } from '@portal/contracts/backend-answers'
import { useSessionStore } from '../session/session.ts'
import type { Entry } from './registry.ts'

/**
 * Calls of a module from a developer's machine to its servers there go to that machine, with who makes them. The portal may not
 * know this module yet, and could not reach the machine. `base` has the key with which the machine answers foreign pages.
 */
export function reachOwnServers({ name, base }: Entry, servers: readonly string[]): void {
  const toPortal = globalThis.fetch
  globalThis.fetch = (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input, window.location.origin)
    if (!servers.some((server) => pathname.startsWith(`/api/modules/${name}/backend/${server}/`)))
      return toPortal(input, init)
    const { session } = useSessionStore.getState()
    const caller = { id: session?.user?.id, permissions: session?.permissions }
    const asked = new Headers(init.headers)
    const headers = new Headers({ [callerHeader]: encodeURIComponent(JSON.stringify(caller)) })
    for (const each of ['content-type', 'accept-language']) {
      const value = asked.get(each)
      if (value) headers.set(each, value)
    }
    const { method = 'GET', body = null, signal = null } = init
    return toPortal(base.replace(/\/$/, '') + pathname + search, { method, body, headers, signal })
  }
}
