import type { NavItem } from '@portal/sdk/manifest'
import { registry } from '../platform/live-registry.ts'
import { buildNavigation, type Section } from '../platform/registry.ts'
import { homeSection } from './home-section.ts'
import { modulesSection } from './modules-section.ts'

/** The sections of the menu as somebody with these permissions has it. */
export const sectionsFor = (permissions: readonly string[]): Section[] => [
  homeSection(permissions),
  ...buildNavigation(registry, permissions),
  ...modulesSection(permissions),
]

/** A page of the menu; `section` is null where it is its section's only page. */
type Page = Pick<NavItem, 'path' | 'label'> & { section: NavItem['label'] | null }

/** The pages of a menu, section by section. */
export const pagesOf = (sections: readonly Section[]): Page[] =>
  sections.flatMap<Page>(({ path, label, children }) =>
    children.length > 0
      ? children.map((child) => ({ path: child.path, label: child.label, section: label }))
      : [{ path, label, section: null }],
  )
