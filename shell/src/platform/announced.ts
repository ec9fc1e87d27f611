import { type Allowed, type Entry, isAllowed } from './registry.ts'

/** Something that a manifest announces. */
type Part = { permission?: Allowed; order: number }

/**
 * What modules that run announce to this person, in its order; `of` reads it from a manifest. Nothing of a module is fetched
 * for it.
 */
export function announced<Announced extends Part>(
  { modules }: { modules: readonly Entry[] },
  permissions: readonly string[],
  of: (entry: Entry) => readonly Announced[] | undefined,
): (Announced & { entry: Entry })[] {
  return modules
    .filter((entry) => !entry.disabled && !entry.withheld && isAllowed(entry.permission, permissions))
    .flatMap((entry) => (of(entry) ?? []).map((part) => ({ ...part, entry })))
    .filter((part) => isAllowed(part.permission, permissions))
    .sort((a, b) => a.order - b.order)
}

/** A module's card on the home page, as its manifest announces it. */
export type HomeCard = { entry: Entry; id: string; title: { en: string; fr: string } }

/** The cards of the modules that this person may see, in their order. */
export const cardsFor = (
  registry: { modules: readonly Entry[] },
  permissions: readonly string[],
): HomeCard[] => announced(registry, permissions, ({ cards }) => cards)

/** A tab of a module on a page of one kind, as its manifest announces it. */
export type FoundTab = NonNullable<Entry['tabs']>[number] & { entry: Entry; key: string }

/** A report of a module, as its manifest announces it. */
export type FoundReport = NonNullable<Entry['reports']>[number] & { entry: Entry }

/** The reports of the modules that this person may see, in their order. */
export const reportsFor = (
  registry: { modules: readonly Entry[] },
  permissions: readonly string[],
): FoundReport[] => announced(registry, permissions, ({ reports }) => reports)

/** Where a module that runs shows things of a kind; undefined where none does. */
export function linkTo(
  registry: { modules: readonly Pick<Entry, 'links' | 'disabled'>[] },
  kind: string,
  id?: number,
): string | undefined {
  const links = registry.modules.filter(({ disabled }) => !disabled).flatMap(({ links = [] }) => links)
  return links.find((each) => each.kind === kind)?.link.replaceAll('{id}', String(id))
}
