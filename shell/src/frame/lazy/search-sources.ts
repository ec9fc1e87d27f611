import type { SearchSource } from '@portal/sdk/manifest-search'
import type { IconName } from '@portal/ui/Icon'
import { type Entry, isAllowed } from '../../platform/registry.ts'
import { filledLink, filledText, isRow } from './row-templates.ts'

/** Something to go to. */
export type Found = { href: string; label: string; note?: string | undefined; icon: IconName }

/** How many rows of a list are asked for, and shown. */
export const rowsPerList = 5

const icons: Record<SearchSource['icon'], IconName> = {
  transfers: 'transfers',
  cases: 'folder',
  schools: 'school',
  geo: 'pin',
  person: 'user',
  people: 'users',
  modules: 'grid',
}

/** A list of a module, as its manifest declares it; `key` is unique among all modules. */
export type Source = SearchSource & { key: string }

type Announced = Pick<Entry, 'name' | 'permission' | 'nav' | 'search' | 'disabled' | 'withheld'>

/** What this person may search, in the order of the menu: of modules that run, the lists that she may see. */
export function sourcesOf(from: { modules: readonly Announced[] }, permissions: readonly string[]): Source[] {
  const place = ({ nav }: Announced) => Math.min(...nav.map(({ order }) => order))
  return from.modules
    .filter((entry) => !entry.disabled && !entry.withheld && isAllowed(entry.permission, permissions))
    .sort((a, b) => place(a) - place(b))
    .flatMap(({ name, search = [] }) => search.map((source) => ({ ...source, key: `${name} ${source.id}` })))
    .filter((source) => isAllowed(source.permission, permissions))
}

/** The results in an answer of any form; a row without the fields that the link or the label needs is none. */
export function foundIn({ rows, label, note, link, icon }: SearchSource, answer: unknown): Found[] {
  const page = isRow(answer) && answer[rows]
  const data = isRow(page) && page.data
  if (!Array.isArray(data)) throw new Error(`The answer has no page of rows in ${rows}.`)
  return data
    .filter(isRow)
    .slice(0, rowsPerList)
    .flatMap((row) => {
      const href = filledLink(link, row)
      const name = filledText(label, row)
      return href && name
        ? [{ href, label: name, note: note && filledText(note, row), icon: icons[icon] }]
        : []
    })
}
