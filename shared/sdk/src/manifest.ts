import * as v from 'valibot'
import { Collection } from './manifest-collections.ts'
import { ModuleColumn } from './manifest-columns.ts'
import { DeclaredEvent, HeardEvent } from './manifest-events.ts'
import { ModuleTab, RowAct } from './manifest-extensions.ts'
import { FirstDayStep } from './manifest-first-day.ts'
import { DeclaredFlag } from './manifest-flags.ts'
import { ModuleNotice } from './manifest-notices.ts'
import { ModuleReport } from './manifest-reports.ts'
import { Allowed, KindLink, Label, SearchSource } from './manifest-search.ts'
import { DeclaredSetting } from './manifest-settings.ts'
import { ResourceWords } from './manifest-words.ts'

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

const PermissionName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z-]*\.[a-z][a-z-]*$/, 'A permission is written resource.action.'),
)

const ModuleName = v.pipe(
  v.string(),
  v.regex(/^mfe-[a-z][a-z0-9-]*$/, 'A module is named like its folder: mfe-something.'),
  v.maxLength(63, 'The name of a module has at most 63 characters, because it can be the name of its host.'),
)

const ModuleBackend = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'A server is named in small letters.')),
  url: v.pipe(
    v.string(),
    v.maxLength(200, 'The address of a server has at most 200 characters.'),
    v.regex(
      /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?(\/[\w.~-]+)*$/,
      'The address of a server is written https://host/path, without a slash at its end.',
    ),
  ),
  /** Who may GET from it, and who may send it something. */
  read: Allowed,
  write: Allowed,
})
export type ModuleBackend = v.InferOutput<typeof ModuleBackend>

/**
 * A host of images: an exact origin with a name, because addresses of a network would let a module look around in that of the
 * person. `http` is for the machine of a developer, and only where the operator lists that host.
 */
export const ImageHost = v.pipe(
  v.string(),
  v.maxLength(100, 'A host of images has at most 100 characters.'),
  v.regex(
    /^(https:\/\/([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}|http:\/\/(localhost|127\.0\.0\.1))(:\d{1,5})?$/,
    'A host of images is written https://tiles.example.org: no path, no star, no slash at its end.',
  ),
)

/** The hosts of images that a module names. */
export const Images = v.pipe(
  v.array(ImageHost),
  v.maxLength(4, 'A module names at most four hosts of images.'),
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
  /** Cards on the home page, by the name under which `defineModule` has them; the lowest `order` first. */
  cards: v.optional(
    v.array(
      v.strictObject({
        id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]*$/, 'A card is named in small letters.')),
        title: Label,
        permission: v.optional(Allowed),
        order: v.pipe(v.number(), v.integer()),
      }),
    ),
    [],
  ),
  /** Its tabs on the pages of schools, students and cases. */
  tabs: v.optional(v.pipe(v.array(ModuleTab), v.maxLength(6, 'A module has at most six tabs.'))),
  /** Its entries in the menus of rows of schools, students and cases. */
  rows: v.optional(
    v.pipe(v.array(RowAct), v.maxLength(6, 'A module has at most six entries in menus of rows.')),
  ),
  /** Its columns in lists of schools, students and cases. */
  columns: v.optional(v.pipe(v.array(ModuleColumn), v.maxLength(3, 'A module has at most three columns.'))),
  /** Its lists in the portal's search. */
  search: v.optional(
    v.pipe(v.array(SearchSource), v.maxLength(8, 'The search asks at most eight lists of a module.')),
  ),
  /** What a new person does first in it, for the guided first day on the home page. */
  first_day: v.optional(
    v.pipe(v.array(FirstDayStep), v.maxLength(5, 'A module has at most five steps of the first day.')),
  ),
  /** Lines that it may put into the bell of people. */
  notices: v.optional(v.pipe(v.array(ModuleNotice), v.maxLength(6, 'A module has at most six notices.'))),
  /** Its switches, of which an administrator decides who has them. */
  flags: v.optional(v.pipe(v.array(DeclaredFlag), v.maxLength(8, 'A module has at most eight flags.'))),
  /** Its settings, which an administrator changes. */
  settings: v.optional(
    v.pipe(v.array(DeclaredSetting), v.maxLength(20, 'A module has at most twenty settings.')),
  ),
  /** Its reports, which the portal lists with those of others. */
  reports: v.optional(v.pipe(v.array(ModuleReport), v.maxLength(6, 'A module has at most six reports.'))),
  /** What it tells other modules in the same tab, and what it hears of them: `mfe-clinics:visit-recorded`. */
  events: v.optional(v.pipe(v.array(DeclaredEvent), v.maxLength(8, 'A module has at most eight events.'))),
  listens: v.optional(v.pipe(v.array(HeardEvent), v.maxLength(12, 'A module hears at most twelve events.'))),
  /** Where its things are shown, for notifications and the home page. */
  links: v.optional(v.array(KindLink)),
  /** Permissions of its own, `resource.action`; they are there to be granted once a build of it is live. */
  permissions: v.optional(v.array(v.strictObject({ name: PermissionName, label: Label })), []),
  /** What its permissions are about, in words. */
  resources: v.optional(v.array(ResourceWords)),
  /** Records that the portal keeps for it (`/modules/<name>/records/<collection>`), and who may read and write them. */
  collections: v.optional(v.array(Collection), []),
  /**
   * Calls of the portal that its pages make, `GET /admin/schools/list` as in `docs/openapi.json`. An isolated module may make
   * no others; its own records and servers need not be named.
   */
  calls: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.string(),
          v.regex(
            /^(GET|POST|PUT|DELETE) \/(?!modules\/)[a-z][\w/:.-]*$/,
            'A call is written GET /admin/schools/list, as in docs/openapi.json with :id for {id}. Own records and servers are not named.',
          ),
        ),
      ),
      v.maxLength(60, 'A module names at most sixty calls of the portal.'),
    ),
  ),
  /** Servers of its team, which the portal calls for it (`/modules/<name>/backend/<backend>/…`), and who may. */
  backends: v.optional(
    v.pipe(v.array(ModuleBackend), v.maxLength(8, 'A module has at most eight servers of its own.')),
  ),
  /** Hosts whose images its frame draws: map tiles, photographs. A trusted build draws those of its own files only. */
  images: v.optional(Images),
})
export type ModuleManifest = v.InferOutput<typeof ModuleManifest>

const BuildId = v.pipe(v.string(), v.regex(/^[a-f0-9]{12}$/))
/** Files have the shorter hash; builds published before carry the longer one for theirs too. */
const Integrity = v.pipe(v.string(), v.regex(/^(sha256-[A-Za-z0-9+/]{43}=|sha384-[A-Za-z0-9+/]{64})$/))

/** What a remote that knows nothing of the portal is called in the page, and which of its components the portal shows. */
const PlainRemote = v.object({
  name: v.pipe(v.string(), v.regex(/^[A-Za-z_]\w*$/, 'The global of a remote is a plain name.')),
  expose: v.pipe(v.string(), v.startsWith('./')),
})

/** Ids of words by language. `same` counts further ones, made from the English text, that both languages have. */
export const BuildWords = v.object({
  en: v.array(v.string()),
  fr: v.array(v.string()),
  same: v.optional(v.number(), 0),
})

/** One build of a module, as its own `build.json` and the registry hold it. */
export const ModuleBuild = v.object({
  ...v.omit(v.object(ModuleManifest.entries), ['$schema']).entries,
  version: v.string(),
  build: BuildId,
  /** `/modules/<name>/<build>/` */
  base: v.pipe(v.string(), v.regex(/^\/modules\/mfe-[a-z0-9-]+\/[a-f0-9]{12}\/$/)),
  /** The container's script, below `base`. */
  entry: v.string(),
  /** Only of a remote built without the portal's packages. */
  remote: v.optional(PlainRemote),
  /** Every file of the build below `base`, with the hash that a browser must find. */
  files: v.record(v.string(), Integrity),
  /** Files below `base` that a page needs besides the entry, by the page's address; `*` is for every page. */
  preloads: v.record(v.string(), v.array(v.string())),
  /** Versions of what it takes from the shell, as it was built with them. */
  shared: v.optional(v.record(v.string(), v.string()), {}),
  /** Ids of its own words in each language, as `condensed` writes them. */
  words: v.optional(BuildWords, { en: [], fr: [] }),
  /** Packages and folders of which something is inside. */
  sources: v.optional(v.array(v.string()), []),
  /** The hash of its source maps, which lie beside its files and are not sent to browsers. */
  maps: v.optional(Integrity),
})
export type ModuleBuild = v.InferOutput<typeof ModuleBuild>

/**
 * A module in the registry: what the portal must know of it before any of its code is there. `integrity` is that of its
 * `build.json`, which has the hash of every file, so that one hash here covers all of them.
 */
const RegistryBuild = v.object({
  ...v.omit(ModuleBuild, ['entry', 'files', 'preloads', 'shared', 'words', 'sources', 'maps']).entries,
  integrity: Integrity,
  /** The build that is offered when this one cannot be reached. */
  previous: v.nullable(v.object({ version: v.string(), build: BuildId, integrity: Integrity })),
  disabled: v.optional(v.boolean(), false),
  /**
   * Why the gateway withholds it: its menu entries stay, none of its code is fetched. `isolated`: it runs in frames only, and
   * the portal has no origin for them.
   */
  withheld: v.optional(
    v.nullable(v.picklist(['unsigned', 'signature', 'revoked', 'broken', 'isolated'])),
    null,
  ),
  /** Compact JWS of its publisher over name, version, build and `integrity`. */
  signature: v.nullable(v.string()),
})

/** `beside` are its builds for other majors of the contract: a portal that this one does not fit runs one of them. */
export const RegistryModule = v.object({
  ...RegistryBuild.entries,
  beside: v.optional(v.array(RegistryBuild)),
})
export type RegistryModule = v.InferOutput<typeof RegistryModule>

/** `/modules.json`: one immutable generation of what the portal consists of. */
export const Registry = v.object({
  generation: v.number(),
  /** Build of the shell, by which an open tab finds out that there is a newer one. */
  shell: v.nullable(BuildId),
  modules: v.array(RegistryModule),
})
export type Registry = v.InferOutput<typeof Registry>

/** Reads a registry. Invalid entries are left out and named; the others stay. */
export function readRegistry(text: string): { registry: Registry; broken: string[] } {
  const found = v.safeParse(v.object({ ...Registry.entries, modules: v.array(v.unknown()) }), parse(text))
  if (!found.success)
    return { registry: { generation: 0, shell: null, modules: [] }, broken: ['modules.json'] }
  const broken: string[] = []
  const modules = found.output.modules.flatMap((entry) => {
    const checked = v.safeParse(RegistryModule, entry)
    if (checked.success) return [checked.output]
    const named = v.safeParse(v.object({ name: v.string() }), entry)
    broken.push(`${named.success ? named.output.name : '?'}: ${checked.issues[0].message}`)
    return []
  })
  return { registry: { ...found.output, modules }, broken }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
