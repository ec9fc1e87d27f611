import { currentLocale } from '@portal/i18n/locale'
import { useLingui } from '@portal/sdk'
import type { NavItem } from '@portal/sdk/manifest'
import type { IconName } from '@portal/ui/Icon'
import type { NavEntry } from '@portal/ui/Sidebar'
import type { Crumb } from '@portal/ui/TopBar'
import { sectionsFor } from '../pages/sections.ts'
import { currentEntry, type Section } from '../platform/registry.ts'
import { useCodesNeeded, useSessionStore } from '../session/session.ts'

/** Icons of manifests that have another name in `@portal/ui`. */
const icons: { [Name in Exclude<NavItem['icon'], IconName>]: IconName } & {
  [Name in Section['icon']]?: IconName
} = { cases: 'folder', schools: 'school', geo: 'pin', modules: 'grid' }

/** The menu as this person has it, and the way to the page that is open, whose own title comes last. */
export function useNavigation(pathname: string, title: string): { entries: NavEntry[]; crumbs: Crumb[] } {
  useLingui()
  const permissions = useSessionStore((state) => state.session?.permissions ?? none)
  const locale = currentLocale()
  const codesNeeded = useCodesNeeded()
  const sections = codesNeeded ? [] : sectionsFor(permissions)
  const here = currentEntry(sections, pathname)
  const entries: NavEntry[] = sections.map((section) => ({
    key: section.path,
    label: section.label[locale],
    href: section.path,
    icon: icons[section.icon] ?? (section.icon as IconName),
    open: here?.section === section,
    current: here?.section === section && !here.child,
    entries: section.children.map((child) => ({
      key: child.path,
      label: child.label[locale],
      href: child.path,
      current: here?.child === child,
    })),
  }))
  const crumbs: Crumb[] = []
  if (here) {
    crumbs.push({ label: here.section.label[locale], href: here.section.path })
    if (here.child && here.child.path !== here.section.path) {
      crumbs.push({ label: here.child.label[locale], href: here.child.path })
    }
  }
  const isListed = crumbs.at(-1)?.href === pathname
  if (!isListed && title) crumbs.push({ label: title })
  return { entries, crumbs }
}

const none: readonly string[] = []
