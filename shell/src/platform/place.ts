import { moduleFor } from '@portal/sdk/registry'
import { fetchShellPage } from '../pages/late-pages.tsx'
import { readBuild } from './builds.ts'
import { forgetForms, isDirty, mayLeave } from './dirty.ts'
import { openModule } from './modules.ts'
import { createPlaces } from './places.ts'
import { readRegistry } from './registry.ts'
import { isStale } from './stale.ts'

/** What the portal consists of, as the page brought it along. */
export const registry = readRegistry(document.getElementById('registry')?.textContent)

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

/** Reads what a module consists of, before somebody goes to a page of it. */
export function foresee(pathname: string): void {
  const entry = moduleFor(registry, pathname)
  if (entry && !entry.disabled && !entry.withheld && !entry.override) readBuild(entry).catch(nothing)
}

const nothing = () => {}

/** Where this tab is, and how it gets elsewhere. */
export const places = createPlaces({
  prepare,
  // Who agreed to leave has agreed to lose, even what a module forgot to take back.
  mayLeave: (go) =>
    mayLeave(() => {
      forgetForms()
      go()
    }),
  isStale(agreed) {
    if (!isStale() || (isDirty() && !agreed)) return false
    forgetForms()
    return true
  },
})

/**
 * Opens the address the document was loaded for. Drawing waits a moment for it: a skeleton once shown stays for
 * 300 ms, however quickly the page comes.
 */
export async function openFirst(): Promise<void> {
  const overridden = registry.modules.filter((entry) => entry.override)
  if (overridden.length) {
    const { describeOverridden } = await import(/* webpackChunkName: "overridden" */ './overridden.ts')
    await describeOverridden(overridden)
  }
  await prepare(places.current().pathname)
}
