import { moduleFor } from '@portal/sdk/manifest'
import { fetchShellPage } from '../pages/late-pages.tsx'
import { isDirty, mayLeave } from './dirty.ts'
import { openModule } from './modules.ts'
import { createPlaces } from './places.ts'
import { readRegistry } from './registry.ts'
import { isStale } from './stale.ts'

const inlined = document.getElementById('registry')?.textContent ?? ''

/** What the portal consists of, as the page brought it along. */
export const { registry, broken } = readRegistry(inlined)

/** Longer than this the page before is not kept: what is coming gets its place, empty. */
const patience = 400

function prepare(pathname: string): Promise<void> | undefined {
  const entry = moduleFor(registry, pathname)
  const opened = entry ? openModule(entry, pathname) : fetchShellPage(pathname)
  if (!opened) return undefined
  const over = new Promise<void>((resolve) => setTimeout(resolve, patience))
  // What goes wrong is shown by the page itself.
  return Promise.race([opened.then(nothing, nothing), over])
}

const nothing = () => {}

/** Where this tab is, and how it gets elsewhere. */
export const places = createPlaces({ prepare, mayLeave, isStale: () => isStale() && !isDirty() })

/**
 * Opens the address the document was loaded for. Drawing waits a moment for it: a skeleton once shown stays for
 * 300 ms, however quickly the page comes.
 */
export const openFirst = (): Promise<void> | undefined => prepare(places.current().pathname)
