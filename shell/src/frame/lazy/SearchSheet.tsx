import { Trans, useLingui } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { Icon } from '@portal/ui/Icon'
import type { NavEntry } from '@portal/ui/Sidebar'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { registry } from '../../platform/live-registry.ts'
import { navigate } from '../../platform/tab-router.ts'
import { permissionsNow } from '../../session/session.ts'
import { open } from '../opened.ts'
import { FoundGroup } from './FoundGroup.tsx'
import { matching, pagesOf } from './pages-found.ts'
import { Sheet } from './Sheet.tsx'
import { type Found, sourcesOf } from './search-sources.ts'
import { useFound } from './useFound.ts'

/** What was gone to from here before; it lives as long as the tab. */
let recent: Found[] = []

type Group = { key: string; title: string; items: Found[] }

/** Goes to a page, or to what a module's list has: type, arrows, Enter. */
export function SearchSheet({ entries }: { entries: NavEntry[] }) {
  const { t } = useLingui()
  const sources = useMemo(() => sourcesOf(registry, permissionsNow()), [])
  const locale = currentLocale()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  /** Enter was pressed before what these words find had come. */
  const [entered, setEntered] = useState(false)
  const { text, of, busy, failed, groups: found } = useFound(typed, sources)
  const pages = [
    ...pagesOf(entries),
    { href: '/profile', label: t`My profile`, icon: 'user' } satisfies Found,
  ]
  const own: Group[] = [
    ...(typed ? [] : [{ key: 'recent', title: t`Recent`, items: recent }]),
    { key: 'pages', title: t`Pages`, items: matching(pages, typed) },
  ]
  const groups: Group[] = [
    ...own,
    ...sources.map(({ key, title }) => ({ key, title: title[locale], items: found[key] ?? [] })),
  ].filter(({ items }) => items.length > 0)
  const all = groups.flatMap(({ items }) => items)
  const here = Math.min(at, all.length - 1)
  // What the words before have found stays until the answer, but Enter does not open it.
  const asks = typed.trim().length > 1
  const outdated = asks && of !== typed.trim()
  const waiting = busy || (asks && text !== typed.trim())
  const go = (item: Found) => {
    recent = [item, ...recent.filter(({ href }) => href !== item.href)].slice(0, 5)
    open(null)
    navigate(item.href)
  }
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const item = all[here]
    if (step && all.length > 0) {
      event.preventDefault()
      const next = (here + step + all.length) % all.length
      setAt(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (outdated && !own.some(({ items }) => item && items.includes(item))) {
        setEntered(true)
        setAt(0)
      } else if (item) go(item)
    }
  }
  useEffect(() => {
    if (!entered || waiting) return
    setEntered(false)
    const item = all[here]
    if (item) go(item)
  })
  let first = 0
  return (
    <Sheet label={t`Search`} place="find" onClose={() => open(null)}>
      <div className="find">
        <div className="ask-line">
          <Icon name="search" />
          <input
            type="text"
            inputMode="search"
            role="combobox"
            className="grow"
            aria-label={t`Search or go to…`}
            placeholder={t`Name, number or code`}
            aria-expanded={all.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={all.length > 0 ? `${id}-${here}` : undefined}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            // biome-ignore lint/a11y/noAutofocus: whoever opened it is about to type
            autoFocus
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setEntered(false)
              setAt(0)
            }}
            onKeyDown={keys}
          />
          <button type="button" onClick={() => open(null)} aria-label={t`Close`}>
            <kbd className="wide-only">Esc</kbd>
            <Icon name="x" className="only-phone" />
          </button>
        </div>
        {all.length > 0 && (
          <div id={`${id}-list`} role="listbox" aria-label={t`Results`} className="found" aria-busy={waiting}>
            {groups.map(({ key, title, items }) => {
              const from = first
              first += items.length
              return (
                <FoundGroup
                  key={key}
                  id={id}
                  title={title}
                  items={items}
                  from={from}
                  here={here}
                  onPick={go}
                  typed={typed}
                />
              )
            })}
          </div>
        )}
        <p className="found-note" role="status">
          {waiting ? (
            <Trans>Searching…</Trans>
          ) : failed ? (
            <Trans>Some lists could not be searched. What was found is shown.</Trans>
          ) : all.length === 0 ? (
            <Trans>Nothing matches “{typed}”. Try a name, a number or a code.</Trans>
          ) : null}
        </p>
        <footer className="wide-only">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> <Trans>to move</Trans>
          </span>
          <span>
            <kbd>Enter</kbd> <Trans>to open</Trans>
          </span>
          <span className="grow" />
          <button type="button" className="link-button" onClick={() => open('keys')}>
            <Trans>All shortcuts</Trans>
          </button>
        </footer>
      </div>
    </Sheet>
  )
}
