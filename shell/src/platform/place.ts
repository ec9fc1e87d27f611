import { isDirty, mayLeave } from './dirty.ts'
import { openModule } from './modules.ts'
import { createPlaces } from './places.ts'
import { moduleFor, readRegistry } from './registry.ts'
import { isStale } from './stale.ts'

const inlined = document.getElementById('registry')?.textContent ?? ''

/** What the portal consists of, as the page brought it along. */
export const { registry, broken } = readRegistry(inlined)

/** Longer than this the page before is not kept: what is coming gets its place, empty. */
const patience = 400

function prepare(pathname: string): Promise<void> | undefined {
  const entry = moduleFor(registry, pathname)
  if (!entry) return undefined
  const opened = openModule(entry, pathname)
  return Promise.race([opened, new Promise<void>((resolve) => setTimeout(resolve, patience))])
}

/** Where this tab is, and how it gets elsewhere. */
export const places = createPlaces({ prepare, mayLeave, isStale: () => isStale() && !isDirty() })

/** Opens the address the document was loaded for. */
export function openFirst(): void {
  const { pathname } = places.current()
  const entry = moduleFor(registry, pathname)
  if (entry) void openModule(entry, pathname)
}
