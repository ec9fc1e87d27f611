import type { WordedCollection } from '@portal/contracts/record-sheet'
import type { PortalRegistry } from '@portal/registry'
import { forbidden, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { askingBuild, type LiveEntry, liveModule, runningBuilds } from './live-modules.ts'

/** The place of a record: a collection of a module. */
export type Shelf = { module: string; collection: string }
/** A collection with the words for its fields. */
export type Declared = WordedCollection
type Announced = LiveEntry['collections'][number]

/** How all builds of a live module that are in use declare a collection, the live one first: a canary may sort by other fields. */
export async function declaredBy(
  registry: PortalRegistry,
  { module, collection }: Shelf,
): Promise<Declared[]> {
  const entry = await liveModule(registry, module)
  return entry ? runningBuilds(entry).flatMap((build) => named(build, collection) ?? []) : []
}

/**
 * Whether records of this collection can be read at all: its module is live, neither disabled nor withheld, and a build of it that
 * is in use declares the collection.
 */
export async function isOpen(registry: PortalRegistry, shelf: Shelf): Promise<boolean> {
  const entry = await liveModule(registry, shelf.module)
  if (!entry || entry.disabled || entry.withheld) return false
  return runningBuilds(entry).some((build) => named(build, shelf.collection))
}

const named = ({ collections }: { collections: readonly Announced[] }, collection: string) =>
  collections.find(({ name }) => name === collection)

/** What somebody wants with a collection: `either` is for whoever may read it or write it. */
export type Act = 'read' | 'write' | 'either'
type Access = string | readonly string[]
/** The permissions of which one has to be held. */
export const allowing = ({ read, write }: { read: Access; write: Access }, act: Act): string[] =>
  (act === 'either' ? [read, write] : [act === 'read' ? read : write]).flat()

/** A collection as the builds in use declare it, and as the one does that asks. */
export type OpenShelf = { builds: Declared[]; asking: Declared; allowed: string[][] }

/**
 * Checks that a live module has this collection and that this person may use it: as the build says that asks, and as the live
 * one says, so that an older build opens nothing that was closed since. A server has no person; its token decides. Throws 404
 * for an unknown, disabled or withheld module, and 403 without the permission.
 */
export async function openShelf(
  registry: PortalRegistry,
  actor: Actor | null,
  shelf: Shelf,
  act: Act,
): Promise<OpenShelf> {
  const entry = await liveModule(registry, shelf.module)
  if (!entry || entry.disabled || entry.withheld) throw notFound()
  const build = actor ? await askingBuild(registry, actor, entry) : entry
  const asking = build && named(build, shelf.collection)
  const live = named(entry, shelf.collection)
  const isInUse = runningBuilds(entry).some((each) => each.build === build?.build)
  if (!asking || !(live || isInUse)) throw notFound()
  const granted = new Set<string>(actor?.permissions)
  /** The caller needs one permission of each of these lists. */
  const allowed = [asking, live ?? asking].map((announced) => allowing(announced, act))
  if (actor && !allowed.every((any) => any.some((permission) => granted.has(permission)))) throw forbidden()
  return { builds: await declaredBy(registry, shelf), asking, allowed }
}
