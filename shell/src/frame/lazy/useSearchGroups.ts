import { useLingui } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import type { NavEntry } from '@portal/ui/Sidebar'
import { useMemo } from 'react'
import { registry } from '../../platform/live-registry.ts'
import { navigate } from '../../platform/tab-router.ts'
import { permissionsNow } from '../../session/session.ts'
import { open } from '../opened.ts'
import { matching, pagesOf } from './pages-found.ts'
import { type Found, sourcesOf } from './search-sources.ts'
import { useFound } from './useFound.ts'

/** The pages that were opened from the search in this tab. */
let recent: Found[] = []

type Group = { key: string; title: string; items: Found[] }

/** What the search sheet shows for the words that were typed. */
export type Results = {
  groups: Group[]
  /** The groups that are known without a call, such as the pages of the menu. */
  own: Group[]
  /** The answer to these words is not complete. */
  waiting: boolean
  /** The results are those of earlier words. They stay until the answer, but Enter opens none of them. */
  outdated: boolean
  /** A list could not be asked. */
  failed: boolean
}

/** Finds what has these words: pages at once, and the lists of modules by asking. */
export function useSearchGroups(entries: NavEntry[], typed: string): Results {
  const { t } = useLingui()
  const sources = useMemo(() => sourcesOf(registry, permissionsNow()), [])
  const locale = currentLocale()
  const { text, of, busy, failed, groups: found } = useFound(typed, sources)
  const pages = [
    ...pagesOf(entries),
    { href: '/profile', label: t`My profile`, icon: 'user' } satisfies Found,
  ]
  const own: Group[] = [
    ...(typed ? [] : [{ key: 'recent', title: t`Recent`, items: recent }]),
    { key: 'pages', title: t`Pages`, items: matching(pages, typed) },
  ]
  const listed = sources.map(({ key, title }) => ({ key, title: title[locale], items: found[key] ?? [] }))
  const words = typed.trim()
  const asks = words.length > 1
  return {
    groups: [...own, ...listed].filter(({ items }) => items.length > 0),
    own,
    waiting: busy || (asks && text !== words),
    outdated: asks && of !== words,
    failed,
  }
}

/** Leaves the search for what was found. */
export function goTo(item: Found) {
  recent = [item, ...recent.filter(({ href }) => href !== item.href)].slice(0, 5)
  open(null)
  navigate(item.href)
}
