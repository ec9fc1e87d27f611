import { Trans, useLingui } from '@lingui/react/macro'
import { Icon } from '@portal/ui/Icon'
import type { NavEntry } from '@portal/ui/Sidebar'
import { useId, useState } from 'react'
import { open } from '../opened.ts'
import { FoundGroup } from './FoundGroup.tsx'
import { Sheet } from './Sheet.tsx'
import { useFoundKeys } from './useFoundKeys.ts'
import { goTo, type Results, useSearchGroups } from './useSearchGroups.ts'

/** Goes to a page, or to what a module's list has: type, arrows, Enter. */
export function SearchSheet({ entries }: { entries: NavEntry[] }) {
  const { t } = useLingui()
  const id = useId()
  const [typed, setTyped] = useState('')
  const results = useSearchGroups(entries, typed)
  const { count, here, onKeyDown, restart } = useFoundKeys(id, results)
  const isFound = count > 0
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
            aria-expanded={isFound}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={isFound ? `${id}-${here}` : undefined}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            // biome-ignore lint/a11y/noAutofocus: whoever opened it is about to type
            autoFocus
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              restart()
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" onClick={() => open(null)} aria-label={t`Close`}>
            <kbd className="wide-only">Esc</kbd>
            <Icon name="x" className="only-phone" />
          </button>
        </div>
        {isFound && (
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={t`Results`}
            className="found"
            aria-busy={results.waiting}
          >
            {results.groups.map(({ key, title, items }) => {
              const from = first
              first += items.length
              const group = { id, title, items, from, here, typed }
              return <FoundGroup key={key} {...group} onPick={goTo} />
            })}
          </div>
        )}
        <p className="found-note" role="status">
          <FoundNote results={results} typed={typed} />
        </p>
        <Keys />
      </div>
    </Sheet>
  )
}

/** The state of the search, if the results do not show it. */
function FoundNote({ results, typed }: { results: Results; typed: string }) {
  if (results.waiting) return <Trans>Searching…</Trans>
  if (results.failed) return <Trans>Some lists could not be searched. What was found is shown.</Trans>
  if (results.groups.length > 0) return null
  return <Trans>Nothing matches “{typed}”. Try a name, a number or a code.</Trans>
}

function Keys() {
  return (
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
  )
}
