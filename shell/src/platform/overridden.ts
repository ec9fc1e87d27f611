import { useSessionStore } from '../session/session.ts'
import { readBuild } from './builds.ts'
import type { Entry } from './registry.ts'

/** Longer than this the portal does not wait for a developer's machine. */
const patience = 3_000

/**
 * What a module from a developer's own machine says of itself, instead of what the registry says: its routes and menus as
 * they are being written, also of a module that the portal does not have yet. Its own permissions count as held, in this
 * browser only; what the server allows stays the server's to say.
 */
export async function describeOverridden(entries: readonly Entry[]): Promise<void> {
  const over = new Promise<null>((resolve) => setTimeout(resolve, patience, null))
  await Promise.all(
    entries.map(async (entry) => {
      // One that does not come is a failure of its page, like any other's.
      const found = await Promise.race([readBuild(entry).catch(() => null), over])
      if (found?.name !== entry.name) return
      const { title, owner, contract, routes, permission, nav, cards, version, build } = found
      Object.assign(entry, { title, owner, contract, routes, permission, nav, cards, version, build })
      const { session, begin } = useSessionStore.getState()
      const own = found.permissions.map(({ name }) => name)
      if (session) begin({ ...session, permissions: [...new Set([...session.permissions, ...own])] })
    }),
  )
}
