import type { NavEntry } from '@portal/ui/Sidebar'
import type { Found } from './search-sources.ts'

/** Letters without accents or case, one for one, so that places in the text hold. */
export const plain = (text: string): string =>
  [...text].map((letter) => letter.normalize('NFD').charAt(0).toLowerCase()).join('')

/** The pages of this person's menu, with the section they stand in. */
export function pagesOf(entries: NavEntry[]): Found[] {
  return entries.flatMap(({ label, href, icon = 'home', entries: inside = [] }) => {
    const children = inside
      .filter((child) => child.href !== href || child.label !== label)
      .map((child) => ({ href: child.href, label: child.label, note: label, icon }))
    return children.some((child) => child.href === href) ? children : [{ href, label, icon }, ...children]
  })
}

/** The pages whose own name or section has what was typed. */
export const matching = (pages: Found[], typed: string): Found[] => {
  const wanted = plain(typed.trim())
  return pages.filter(({ label, note = '' }) => plain(`${label} ${note}`).includes(wanted))
}
