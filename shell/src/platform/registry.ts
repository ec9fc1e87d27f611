import { entryFor, type Offer, offered } from '@portal/sdk/majors'
import type { NavItem, Registry, RegistryModule } from '@portal/sdk/manifest'
import type { IconName } from '@portal/ui/Icon'

/**
 * A module as the page has it: empty fields are left out of the page. `override` is a partner's own, taken from her machine
 * in this browser only.
 */
export type Entry = Omit<
  RegistryModule,
  | 'beside'
  | 'cards'
  | 'permissions'
  | 'collections'
  | 'backends'
  | 'resources'
  | 'first_day'
  | 'notices'
  | 'flags'
  | 'settings'
  | 'signature'
  | 'disabled'
> & {
  cards?: RegistryModule['cards'] | undefined
  disabled?: boolean | undefined
  override?: boolean | undefined
  /** Where a page hears of changes: the module is being developed. One with `override` says so below its base. */
  changes?: string | undefined
  /** Origin of the frame in which it runs. None of its code is loaded into this page. */
  isolated?: string | undefined
  /** A partner's that an administrator lets run in this page. */
  trusted?: boolean | undefined
  /** Builds for other majors of the contract. */
  beside?: Entry[] | undefined
}
/** The registry as a page has it. */
export type PageRegistry = Omit<Registry, 'modules'> & { modules: Entry[] }

/**
 * The registry as the gateway put it into the page, checked there; none is a portal without modules. Of a module with
 * builds for several majors of the contract it has the one that fits this shell.
 */
export function readRegistry(text: string | null | undefined, offer: Offer = offered): PageRegistry {
  if (!text) return { generation: 0, shell: null, modules: [] }
  const registry: PageRegistry = JSON.parse(text)
  return { ...registry, modules: registry.modules.map((entry) => entryFor(entry, offer)) }
}

const owns = (route: string, pathname: string) => pathname === route || pathname.startsWith(`${route}/`)

export type Allowed = string | readonly string[] | undefined

/** Whether somebody with these permissions may open what asks for `needed`; several mean one of them. */
export function isAllowed(needed: Allowed, permissions: readonly string[]): boolean {
  return needed === undefined || [needed].flat().some((each) => permissions.includes(each))
}

/** A section of the menu. The shell's own have any icon, those of modules one that manifests can name. */
export type Section = Omit<NavItem, 'icon'> & { icon: NavItem['icon'] | IconName }

/** The sections of all modules in their order, without what the person may not open. */
export function buildNavigation(
  registry: { modules: readonly Pick<Entry, 'nav' | 'permission'>[] },
  permissions: readonly string[],
): NavItem[] {
  return registry.modules
    .filter((module) => isAllowed(module.permission, permissions))
    .flatMap((module) => module.nav)
    .filter((item) => isAllowed(item.permission, permissions))
    .map((item) => {
      const children = item.children.filter((child) => isAllowed(child.permission, permissions))
      const opensItself = children.length === 0 || children.some((child) => child.path === item.path)
      return { ...item, children, path: opensItself ? item.path : (children[0]?.path ?? item.path) }
    })
    .sort((a, b) => a.order - b.order)
}

/** The entry of the menu that an address belongs to: the longest path that holds it. */
export function currentEntry(navigation: readonly Section[], pathname: string) {
  let best: { section: Section; child?: NavItem['children'][number]; length: number } | undefined
  for (const section of navigation) {
    for (const entry of [section, ...section.children]) {
      const length = entry.path.replace(/\/list$/, '').length
      const holds = owns(entry.path.replace(/\/list$/, ''), pathname)
      if (!holds || length < (best?.length ?? 0)) continue
      best = entry === section ? { section, length } : { section, child: entry, length }
    }
  }
  return best
}
