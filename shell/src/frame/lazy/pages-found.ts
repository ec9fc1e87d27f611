import { holdsWords } from '@portal/contracts/search-words'
import type { NavEntry } from '@portal/ui/Sidebar'
import type { Found } from './search-sources.ts'

/** The pages of this person's menu, with the section they stand in. */
export function pagesOf(entries: NavEntry[]): Found[] {
  return entries.flatMap(({ label, href, icon = 'home', entries: inside = [] }) => {
    const children = inside
      .filter((child) => child.href !== href || child.label !== label)
      .map((child) => ({ href: child.href, label: child.label, note: label, icon }))
    return children.some((child) => child.href === href) ? children : [{ href, label, icon }, ...children]
  })
}

/** The pages whose own name and section have the words that were typed. */
export const matching = (pages: Found[], typed: string): Found[] =>
  pages.filter(({ label, note = '' }) => holdsWords(`${label} ${note}`, typed))
