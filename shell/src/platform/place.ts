import { moduleFor } from '@portal/sdk/registry'
import { readBuild } from './builds.ts'
import { registry } from './live-registry.ts'
import { openModule } from './modules.ts'

/** How long the old page stays while the next one loads; after that a skeleton is shown. */
export const previousPageTimeout = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400))

/** Starts opening the module of an address. The promise resolves when the address should be shown, loaded or not. */
export async function prepare(pathname: string): Promise<void> {
  const entry = moduleFor(registry, pathname)
  // The page itself shows an error.
  if (entry && !entry.isolated)
    await Promise.race([openModule(entry, pathname).catch(nothing), previousPageTimeout()])
}

/** Reads what a module consists of, before somebody goes to a page of it. */
export function prefetch(pathname: string): void {
  const entry = moduleFor(registry, pathname)
  if (entry && !entry.disabled && !entry.withheld && !entry.override && !entry.isolated)
    readBuild(entry).catch(nothing)
}

const nothing = () => {}

/** Modules from developers' machines speak for themselves before the first of their pages opens. */
export async function askOverridden(isFrame = false): Promise<void> {
  const overridden = registry.modules.filter((entry) => entry.override || entry.changes)
  if (!overridden.length) return
  const { describeOverridden } = await import('./overridden.ts')
  await describeOverridden(overridden, isFrame)
}
