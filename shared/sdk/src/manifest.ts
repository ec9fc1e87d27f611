import * as v from 'valibot'

/** Version of what shell and modules agree on: `defineModule`, `Host` and the facade. */
export const contractVersion = '1.0.0'

const Label = v.object({ en: v.pipe(v.string(), v.nonEmpty()), fr: v.pipe(v.string(), v.nonEmpty()) })

/** One permission, or several of which one is enough. */
const Allowed = v.union([v.string(), v.array(v.string())])

const RoutePath = v.pipe(
  v.string(),
  v.regex(/^\/[a-z][a-z0-9/-]*[a-z0-9]$/, 'A route is a path without a slash at its end.'),
)

const NavLeaf = v.object({ path: RoutePath, label: Label, permission: v.optional(Allowed) })

/** One section of the sidebar; `order` places it among those of the other modules. */
export const NavItem = v.object({
  ...NavLeaf.entries,
  icon: v.picklist(['home', 'transfers', 'cases', 'schools', 'geo', 'users', 'modules', 'external']),
  order: v.pipe(v.number(), v.integer()),
  children: v.optional(v.array(NavLeaf), []),
})
export type NavItem = v.InferOutput<typeof NavItem>

const ModuleName = v.pipe(
  v.string(),
  v.regex(/^mfe-[a-z][a-z0-9-]*$/, 'A module is named like its folder: mfe-something.'),
)

/** `portal.module.json`: what a module says of itself, checked when published and again in the shell. */
export const ModuleManifest = v.strictObject({
  $schema: v.optional(v.string()),
  name: ModuleName,
  title: Label,
  owner: v.object({ name: v.string(), contact: v.string() }),
  /** Range of contract versions it was made for, `^1.0.0`. */
  contract: v.pipe(v.string(), v.regex(/^\^\d+\.\d+\.\d+$/, 'A contract range is written ^1.0.0.')),
  /** The addresses it owns, with everything below them. */
  routes: v.pipe(v.array(RoutePath), v.minLength(1)),
  permission: v.optional(Allowed),
  nav: v.array(NavItem),
})
export type ModuleManifest = v.InferOutput<typeof ModuleManifest>

const BuildId = v.pipe(v.string(), v.regex(/^[a-f0-9]{12}$/))
const Integrity = v.pipe(v.string(), v.regex(/^sha384-[A-Za-z0-9+/]{64}$/))

/** One build of a module, as its own `build.json` and the registry hold it. */
export const ModuleBuild = v.object({
  ...v.omit(v.object(ModuleManifest.entries), ['$schema']).entries,
  version: v.string(),
  build: BuildId,
  /** `/modules/<name>/<build>/` */
  base: v.pipe(v.string(), v.regex(/^\/modules\/mfe-[a-z0-9-]+\/[a-f0-9]{12}\/$/)),
  /** The container's script, below `base`. */
  entry: v.string(),
  /** Every file of the build below `base`, with the hash that a browser must find. */
  files: v.record(v.string(), Integrity),
  /** Files below `base` that a page needs besides the entry, by the page's address; `*` is for every page. */
  preloads: v.record(v.string(), v.array(v.string())),
})
export type ModuleBuild = v.InferOutput<typeof ModuleBuild>

/** A module in the registry: its current build, the one before, and who answers for it. */
export const RegistryModule = v.object({
  ...ModuleBuild.entries,
  /** The build that is offered when this one cannot be reached; `integrity` is that of its `build.json`. */
  previous: v.nullable(v.object({ version: v.string(), build: BuildId, integrity: Integrity })),
  disabled: v.optional(v.boolean(), false),
  signature: v.nullable(v.string()),
})
export type RegistryModule = v.InferOutput<typeof RegistryModule>

/** `/modules.json`: one immutable generation of what the portal consists of. */
export const Registry = v.object({
  generation: v.number(),
  /** Build of the shell itself: an open tab learns by it that there is a newer one. */
  shell: v.nullable(BuildId),
  modules: v.array(RegistryModule),
})
export type Registry = v.InferOutput<typeof Registry>

/** The federation name of one build: unique, or an upgrade within the page would get the old code back. */
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

const pattern = (path: string) => new RegExp(`^${path.replace(/:[a-z_]+/gi, '[^/]+')}$`)

/** What to fetch together with the entry for one address, in one language. */
export function preloadsFor(
  module: Pick<ModuleBuild, 'preloads' | 'entry'>,
  pathname: string,
  locale: string,
): string[] {
  const { preloads } = module
  // A literal address comes before one with parameters, as the router ranks them.
  const page = Object.keys(preloads)
    .filter((path) => path.startsWith('/') && pattern(path).test(pathname))
    .sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')))[0]
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
