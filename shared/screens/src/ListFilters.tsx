import { Trans, useLingui } from '@lingui/react/macro'
import { formatDate } from '@portal/i18n/format'
import { Button } from '@portal/ui/Button'
import { FilterDay } from '@portal/ui/DateBox'
import { FilterFold, FilterPanel } from '@portal/ui/FilterPanel'
import { ActiveFilters, Chips, FilterSelect, Filters, SearchBox } from '@portal/ui/Filters'
import { type ReactNode, useRef } from 'react'
import type { List } from './useList.tsx'

/** A filter above a list: a closed choice as chips, a longer one as a select whose `all` filters nothing, or a day. */
export type ListFilter<Name extends string = string> = { name: Name; label: string } & (
  | {
      as?: 'chips'
      options: readonly { value: string; label: string; count?: number }[]
      /** How many there are in all, beside "All". */
      total?: number
    }
  | {
      as: 'select'
      all: string
      options: readonly { value: string; label: string }[]
      /** Not offered until another filter is set. */
      later?: boolean
    }
  | { as: 'day' }
)

/** More selects than these are one button with a panel. */
const selectsInLine = 3

type Props<Row, Answer, Filter extends string> = {
  list: List<Row, Answer, Filter>
  /** What a search looks through, or a search of its own. */
  search: ReactNode
  filters: ListFilter<Filter>[]
  /** What stands at the end of the line. */
  children: ReactNode
}

/** The line above a list: its search, its filters, and those of a panel that are set, each to be removed by itself. */
export function ListFilters<Row, Answer, Filter extends string>(props: Props<Row, Answer, Filter>) {
  const { list, search, filters, children } = props
  const { t } = useLingui()
  const button = useRef<HTMLButtonElement>(null)
  const { view } = list
  // The filter's name is checked by the list's type; here it is only passed on.
  const show = list.show as List<Row>['show']
  const selects = filters.filter((filter) => filter.as === 'select')
  // A first and a last day stay beside each other.
  const days = filters.filter((filter) => filter.as === 'day')
  const chips = filters.filter((filter) => !filter.as || filter.as === 'chips')
  // Counted with those that come later: what is chosen in the panel must not decide whether there is one.
  const inPanel = selects.length > selectsInLine
  const folded = [...selects, ...days]
  const set = folded.filter(({ name }) => view.filter(name))
  const box = (filter: ListFilter<Filter>) => (
    <FilterBox
      key={filter.name}
      filter={filter}
      labelled={inPanel}
      value={view.filter(filter.name)}
      onChange={(value) => show({ [filter.name]: value })}
    />
  )
  const boxes = (
    <>
      {selects.filter((filter) => !filter.later).map(box)}
      {days.length > 0 && <span className="days">{days.map(box)}</span>}
    </>
  )
  const nameOf = (filter: ListFilter<Filter>) => {
    const { label } = filter
    const value = wordsOf(filter, view.filter(filter.name))
    return t`${label}: ${value}`
  }
  const active = set.map((filter) => ({
    key: filter.name,
    label: nameOf(filter),
    onRemove: () => {
      show({ [filter.name]: '' })
      button.current?.focus()
    },
  }))
  return (
    <Filters>
      {typeof search === 'string' ? (
        <SearchBox
          key={list.cleared}
          value={view.search}
          label={search}
          onSearch={(text) => show({ search: text }, true)}
        />
      ) : (
        search
      )}
      {inPanel ? (
        <FilterPanel on={set.length} button={button}>
          {boxes}
        </FilterPanel>
      ) : folded.length > 1 ? (
        <FilterFold on={set.length}>{boxes}</FilterFold>
      ) : (
        folded.map(box)
      )}
      {chips.map(box)}
      {inPanel && <ActiveFilters filters={active} />}
      {list.narrowed && list.items.length > 0 && (
        <Button small variant="plain" vanishes onClick={list.clear}>
          <Trans>Clear all</Trans>
        </Button>
      )}
      {children}
    </Filters>
  )
}

/** What a filter is set to, in words. */
function wordsOf(filter: ListFilter, value: string): string {
  if (filter.as === 'day') return formatDate(value)
  return filter.options.find((option) => option.value === value)?.label ?? value
}

type BoxProps = {
  filter: ListFilter
  labelled: boolean
  value: string
  onChange: (value: string) => void
}

function FilterBox({ filter, labelled, value, onChange }: BoxProps) {
  const { t } = useLingui()
  if (filter.as === 'day') return <FilterDay label={filter.label} value={value} onChange={onChange} />
  if (filter.as === 'select') {
    const { label, all, options } = filter
    return <FilterSelect {...{ label, all, options, value, onChange, labelled }} />
  }
  const { label, options, total } = filter
  const chips = [{ value: '', label: t`All`, count: total }, ...options]
  return <Chips label={label} chips={chips} value={value} onChange={onChange} />
}
