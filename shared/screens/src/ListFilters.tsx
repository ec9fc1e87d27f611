import { Trans, useLingui } from '@lingui/react/macro'
import { IconButton } from '@portal/ui/Button'
import { Icon } from '@portal/ui/Icon'
import { useEffect, useRef, useState } from 'react'
import type { List } from './useList.tsx'

/** A closed choice above a list, drawn as chips. */
export type ListFilter<Name extends string = string> = {
  name: Name
  options: readonly { value: string; label: string }[]
}

type Props<Filter extends string> = {
  list: Pick<List<unknown, unknown, Filter>, 'view' | 'show' | 'clear' | 'narrowed'>
  search?: string | undefined
  filters: ListFilter<Filter>[]
}

const pause = 300

/** Search field and filter chips of a list. */
export function ListFilters<Filter extends string>({ list, search, filters }: Props<Filter>) {
  // A filter's name is one of the list's own; here it is only passed on.
  const show = list.show as List<unknown>['show']
  return (
    <div className="filters">
      {search && (
        <SearchField
          value={list.view.search}
          label={search}
          onSearch={(text) => show({ search: text }, true)}
        />
      )}
      {filters.length > 0 && (
        <div className="chips">
          {filters.flatMap(({ name, options }) =>
            options.map(({ value, label }) => {
              const on = list.view.filter(name) === value
              return (
                <button
                  key={`${name} ${value}`}
                  type="button"
                  className="chip"
                  aria-pressed={on}
                  onClick={() => show({ [name]: on ? '' : value })}
                >
                  {label}
                </button>
              )
            }),
          )}
        </div>
      )}
      {list.narrowed && (
        <button type="button" className="link-button" onClick={list.clear}>
          <Trans>Clear all</Trans>
        </button>
      )}
    </div>
  )
}

/** Asks when typing pauses; Enter asks at once. Follows the URL on back and forward. */
function SearchField({
  value,
  label,
  onSearch,
}: {
  value: string
  label: string
  onSearch: (text: string) => void
}) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(value)
  const asked = useRef(value)
  const ask = (text: string) => {
    if (text.trim() === asked.current) return
    asked.current = text.trim()
    onSearch(text.trim())
  }
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    setTyped(value)
  }, [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause
  useEffect(() => {
    const timer = setTimeout(() => ask(typed), pause)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div className="search">
      <Icon name="search" size={16} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && ask(typed)}
      />
      {typed && (
        <IconButton
          icon="x"
          label={t`Clear the search`}
          onClick={() => {
            setTyped('')
            ask('')
          }}
        />
      )}
    </div>
  )
}
