import { moduleSandboxes } from '@portal/contracts/module-records'
import { client } from '../session/client.ts'
import { useSessionStore } from '../session/session.ts'
import { readBuild } from './builds.ts'
import { followChanges } from './developed.ts'
import { reachOwnServers } from './own-servers.ts'
import type { Entry } from './registry.ts'

/** Time limit for an answer of a developer's machine. */
const timeoutMs = 3_000

/**
 * The manifest of a module from a developer's machine, used in place of the registry's entry, also for a module that the
 * registry does not have yet. Its own permissions count as held in this browser; the server still decides at every call.
 */
export async function describeOverridden(entries: readonly Entry[], isFrame: boolean): Promise<void> {
  const over = new Promise<null>((resolve) => setTimeout(resolve, timeoutMs, null))
  await Promise.all(
    entries.map(async (entry) => {
      if (!entry.override) return isFrame || followChanges(entry)
      // One that does not come is a failure of its page, like any other's.
      const found = await Promise.race([readBuild(entry).catch(() => null), over])
      if (found?.name !== entry.name) return
      const { title, owner, contract, routes, permission, nav, cards, tabs, rows, search } = found
      const announced = { title, owner, contract, routes, permission, nav, cards, tabs, rows, search }
      const { version, build, reports, events, listens, images } = found
      Object.assign(entry, { ...announced, version, build, reports, events, listens, images })
      // The page around a frame does the rest.
      if (isFrame) return
      followChanges(entry)
      // What `portal-module dev` adds to the manifest.
      const { own_servers = [] } = found as { own_servers?: string[] }
      if (own_servers.length > 0) reachOwnServers(entry, own_servers)
      const { session, begin } = useSessionStore.getState()
      const own = found.permissions.map(({ name }) => name)
      if (!session?.user) return
      begin({ ...session, permissions: [...new Set([...session.permissions, ...own])] })
      // Without a sandbox its calls for records are answered 404, which its pages show.
      const { name, collections } = found
      await client
        .call(moduleSandboxes.open, { params: { module: name }, body: { collections } })
        .catch(() => {})
    }),
  )
}
