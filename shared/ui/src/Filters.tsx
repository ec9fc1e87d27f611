import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { plainLink, type RenderLink } from './link.tsx'
import { Count } from './Money.tsx'

/** The line of search and chips above a table. */
export const Filters = ({ children }: { children: ReactNode }) => <div className="filters">{children}</div>

type SearchProps = {
  value: string
  /** Called debounced while typing, at Enter, and at once when cleared. */
  onSearch: (value: string) => void
  /** What is searched: "Name, number or code". */
  label: string
  /** Debounce in milliseconds; `null` waits for Enter or the search button. */
  pause?: number | null
}

/** A search field; it keeps what is typed until the page answers with another value. */
export function SearchBox({ value, onSearch, label, pause = 300 }: SearchProps) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const send = useRef(onSearch)
  send.current = onSearch
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])
  const commit = (wanted: string) => {
    if (wanted === sent.current) return
    sent.current = wanted
    send.current(wanted)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is committed is read from refs
  useEffect(() => {
    if (pause === null || typed.trim() === sent.current) return
    const timer = setTimeout(() => commit(typed.trim()), pause)
    return () => clearTimeout(timer)
  }, [typed, pause])
  const clear = () => {
    setTyped('')
    commit('')
    field.current?.focus()
  }
  return (
    <search>
      <form
        className="search"
        onSubmit={(event) => {
          event.preventDefault()
          commit(typed.trim())
        }}
      >
        <Icon name="search" size={16} />
        <input
          ref={field}
          type="search"
          // A longer search is refused by every list.
          maxLength={200}
          aria-label={label}
          placeholder={label}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || typed === '') return
            event.preventDefault()
            clear()
          }}
        />
        {typed && <IconButton icon="x" label={t`Clear the search`} onClick={clear} />}
        {pause === null && (
          <Button small type="submit">
            <Trans>Search</Trans>
          </Button>
        )}
      </form>
    </search>
  )
}

/** One choice among chips. */
export type Chip<Value extends string> = { value: Value; label: ReactNode; count?: number }

type ChipsProps<Value extends string> = {
  /** What is chosen here, for readers. */
  label: string
  chips: Chip<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** Chips for a choice of a few, each with its count. */
export function Chips<Value extends string>({ label, chips, value, onChange }: ChipsProps<Value>) {
  return (
    <fieldset className="chips" aria-label={label}>
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          className="chip"
          aria-pressed={chip.value === value}
          onClick={() => onChange(chip.value)}
        >
          {chip.label}{' '}
          {chip.count !== undefined && (
            <b>
              <Count value={chip.count} />
            </b>
          )}
        </button>
      ))}
    </fieldset>
  )
}

type FilterSelectProps = {
  label: string
  /** Words of the choice that filters nothing: "All roles". */
  all: string
  options: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
  /** Writes the label above, as a panel has room for it. */
  labelled?: boolean
}

/** A select for a choice of more than chips can show. */
export function FilterSelect({ label, all, options, value, onChange, labelled }: FilterSelectProps) {
  const id = useId()
  const known = value === '' || options.some((option) => option.value === value)
  const select = (
    <span className={value ? 'select filter is-on' : 'select filter'}>
      <select
        id={id}
        className="input"
        aria-label={labelled ? undefined : label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{all}</option>
        {!known && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" size={16} />
    </span>
  )
  if (!labelled) return select
  return (
    <div className="labelled-filter">
      <label htmlFor={id}>{label}</label>
      {select}
    </div>
  )
}

/** An active filter. */
export type ActiveFilter = { key: string; label: string; onRemove: () => void }

/** The active filters, each with a button to remove it, and one to clear all unless that stands elsewhere. */
export function ActiveFilters({ filters, onClear }: { filters: ActiveFilter[]; onClear?: () => void }) {
  const { t } = useLingui()
  if (filters.length === 0) return null
  return (
    <fieldset className="chips" aria-label={t`Filters`}>
      {filters.map(({ label, ...filter }) => (
        <button
          key={filter.key}
          type="button"
          className="chip"
          aria-pressed="true"
          aria-label={t`Remove filter ${label}`}
          onClick={filter.onRemove}
        >
          {label}
          <Icon name="x" size={14} />
        </button>
      ))}
      {onClear && (
        <Button small variant="plain" vanishes onClick={onClear}>
          <Trans>Clear all</Trans>
        </Button>
      )}
    </fieldset>
  )
}

/** One choice of a segmented control: a drawing with a name, or words. */
export type Segment<Value extends string> = { value: Value; label: string; icon?: IconName }

type SegmentedProps<Value extends string> = {
  label: string
  segments: Segment<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** Absent on phones, where it would change nothing. */
  wideOnly?: boolean
}

/** A switch between a few ways of showing the same thing. */
export function Segmented<Value extends string>({
  label,
  segments,
  value,
  onChange,
  wideOnly,
}: SegmentedProps<Value>) {
  return (
    <fieldset className={wideOnly ? 'segmented wide-only' : 'segmented'} aria-label={label}>
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          title={segment.icon && segment.label}
          aria-label={segment.icon && segment.label}
          aria-pressed={segment.value === value}
          onClick={() => onChange(segment.value)}
        >
          {segment.icon ? <Icon name={segment.icon} size={16} /> : segment.label}
        </button>
      ))}
    </fieldset>
  )
}

/** One tab that is a page of its own. */
export type Tab = { href: string; label: ReactNode; count?: number; bad?: boolean; current?: boolean }

/** Pages beside each other, as links, each with its count. */
export function Tabs({
  label,
  tabs,
  end,
  renderLink = plainLink,
}: {
  label: string
  tabs: Tab[]
  end?: ReactNode
  renderLink?: RenderLink
}) {
  const row = useRef<HTMLElement>(null)
  const current = tabs.findIndex((tab) => tab.current)
  const words = tabs.map(({ label, count }) => `${label} ${count}`).join()
  // On a phone the row is wider than the window, and grows when counts arrive; some labels contain them. The page itself must not
  // scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const tab = row.current?.children[current]
    if (!row.current || !tab) return
    const [around, within] = [row.current, tab].map((each) => each.getBoundingClientRect())
    if (around && within)
      row.current.scrollLeft += within.left - around.left - (around.width - within.width) / 2
  }, [current, words])
  return (
    <nav ref={row} className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <TabLink key={tab.href} tab={tab} renderLink={renderLink} />
      ))}
      {end}
    </nav>
  )
}

function TabLink({ tab, renderLink }: { tab: Tab; renderLink: RenderLink }) {
  return renderLink({
    href: tab.href,
    className: 'tab',
    'aria-current': tab.current ? 'page' : undefined,
    children: (
      <>
        {tab.label}
        {tab.count !== undefined && (
          <span className={tab.bad ? 'n bad' : 'n'}>
            <Count value={tab.count} />
          </span>
        )}
      </>
    ),
  })
}
