import { bestPath } from './addresses.ts'
import type { ModuleBuild, RegistryModule } from './manifest.ts'

/** What shell, gateway and build do with a registry; its schemas are in `manifest.ts`, which no page carries. */

/** Version of what shell and modules agree on: `defineModule`, `Host`, the facade and the manifest. The package has the same. */
export const contractVersion = '1.5.0'

/** The contract since which the portal provides the federation runtime; new builds need at least this one. */
export const runtimeSince = '1.2.0'

/** The source maps of all scripts of a build. The gateway sends no file with this ending. */
export const mapsFile = 'sources.map'

/** The name under which the portal shares the menu library, in the version of the contract. */
export const menuShare = '@portal/sdk/menu'

/** The federation name of a build. It is unique, because an upgrade within the page would otherwise get the old code. */
export const federationName = (name: string, build: string): string => `${name.replaceAll('-', '_')}_${build}`

/** Whether a `^x.y.z` range admits a version: same major, and not older. */
export function contractAdmits(range: string, version: string): boolean {
  const [wanted, here] = [range.replace('^', ''), version].map((text) => text.split('.').map(Number))
  if (!wanted || !here || wanted[0] !== here[0]) return false
  for (const place of [1, 2]) {
    const difference = (here[place] ?? 0) - (wanted[place] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}

/** What to fetch together with the entry for one address, in one language. */
export function preloadsFor(
  module: Pick<ModuleBuild, 'preloads' | 'entry'>,
  pathname: string,
  locale: string,
): string[] {
  const { preloads } = module
  const page = bestPath(
    Object.keys(preloads).filter((path) => path.startsWith('/')),
    pathname,
  )
  return [
    module.entry,
    ...(preloads['*'] ?? []),
    ...(preloads[locale] ?? []),
    ...((page && preloads[page]) || []),
  ]
}

/** The module whose longest route holds an address. */
export function moduleFor<M extends Pick<RegistryModule, 'routes'>>(
  registry: { modules: readonly M[] },
  pathname: string,
): M | undefined {
  let best: { module: M; length: number } | undefined
  for (const module of registry.modules) {
    for (const route of module.routes) {
      const holds = pathname === route || pathname.startsWith(`${route}/`)
      if (holds && route.length > (best?.length ?? 0)) best = { module, length: route.length }
    }
  }
  return best?.module
}
