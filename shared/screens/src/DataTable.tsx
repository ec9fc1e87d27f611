import { Trans, useLingui } from '@lingui/react/macro'
import type { Permission } from '@portal/contracts/permissions'
import { useCan, useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { FilterDay } from '@portal/ui/DateBox'
import { Chips, FilterFold, FilterSelect, Filters, SearchBox } from '@portal/ui/Filters'
import type { MenuItem } from '@portal/ui/Menu'
import { Notice } from '@portal/ui/Notice'
import { Pager } from '@portal/ui/Pager'
import { type Column, type Empty, Table } from '@portal/ui/Table'
import { Fragment, type ReactNode } from 'react'
import { ChosenBar, ColumnsButton } from './ListTools.tsx'
import { failureOf, problemText } from './problemText.tsx'
import { useChosen } from './useChosen.tsx'
import type { List } from './useList.tsx'
import { useTableView } from './useTableView.tsx'

export type { Column } from '@portal/ui/Table'

/** An action on a row, or a link with `to`. It is hidden without its permission; null needs none. */
export type RowAction = Omit<MenuItem, 'href'> & { permission: Permission | null; to?: string }

/** A filter above a list: a closed choice as chips, a longer one as a select whose `all` filters nothing, or a day. */
export type ListFilter<Name extends string = string> = { name: Name; label: string } & (
  | {
      as?: 'chips'
      options: readonly { value: string; label: string; count?: number }[]
      /** How many there are in all, beside "All". */
      total?: number
    }
  | { as: 'select'; all: string; options: readonly { value: string; label: string }[] }
  | { as: 'day' }
)

/** An act on the rows that are chosen, drawn by the screen; `clear` ends the selection. */
export type ChosenAct<Row> = {
  key: string
  permission: Permission
  draw: (rows: Row[], clear: () => void) => ReactNode
}

type Props<Row, Answer, Filter extends string> = {
  /** What the table lists, for readers. */
  label: string
  list: List<Row, Answer, Filter>
  columns: Column<Row>[]
  /** The sentence for an empty list, with the next step where there is one. */
  empty: Empty | string
  rowActions?: (row: Row) => RowAction[]
  /** Acts on many; rows can be chosen by whoever may do one of them. */
  chosenActs?: ChosenAct<Row>[]
  /** What the columns are remembered under, where another page shows the same list with others. */
  remember?: string
  /** Names a row in "Actions for …" and "Select …". */
  rowName?: (row: Row) => string
  /** What a search looks through, or a search of its own; without it there is none. */
  search?: ReactNode
  filters?: ListFilter<Filter>[]
}

/** A list with its search, filters, states and pager; cards on a phone. */
export function DataTable<Row extends { id: number | string }, Answer, Filter extends string>(
  props: Props<Row, Answer, Filter>,
) {
  const { label, list, columns, empty, rowActions, rowName, search, filters = [] } = props
  const [tableView, setTableView] = useTableView(props.remember ?? list.name)
  const chosen = useChosen(list.items, list.narrowedTo)
  const { t } = useLingui()
  const { navigate } = useHost()
  const can = useCan()
  const { page, problem, view } = list
  const acts = (props.chosenActs ?? []).filter(({ permission }) => can(permission))
  // The filter's name is checked by the list's type; here it is only passed on.
  const show = list.show as List<Row>['show']
  const menu = (row: Row): MenuItem[] =>
    (rowActions?.(row) ?? [])
      .filter(({ permission }) => permission === null || can(permission))
      .map(({ permission: _, to, ...item }) =>
        to ? { ...item, href: to, onSelect: () => navigate(to) } : item,
      )
  const retry = (
    <Button small icon="retry" onClick={list.retry}>
      <Trans>Try again</Trans>
    </Button>
  )
  const clear = (
    <Button onClick={list.clear}>
      <Trans>Clear all</Trans>
    </Button>
  )
  // A first and a last day stay beside each other.
  const days = filters.filter((filter) => filter.as === 'day')
  const selects = filters.filter((filter) => filter.as === 'select')
  const chips = filters.filter((filter) => !filter.as || filter.as === 'chips')
  const folded = [...selects, ...days]
  const filterBox = (filter: ListFilter<Filter>) => (
    <FilterBox
      key={filter.name}
      filter={filter}
      value={view.filter(filter.name)}
      onChange={(value) => show({ [filter.name]: value })}
    />
  )
  const sortKey = view.sort.replace(/^-/, '')
  return (
    <Card>
      {(search || filters.length > 0 || columns.length > 2) && (
        <Filters>
          {typeof search === 'string' ? (
            <SearchBox value={view.search} label={search} onSearch={(text) => show({ search: text }, true)} />
          ) : (
            search
          )}
          {folded.length > 1 ? (
            <FilterFold on={folded.filter(({ name }) => view.filter(name)).length}>
              {selects.map(filterBox)}
              {days.length > 0 && <span className="days">{days.map(filterBox)}</span>}
            </FilterFold>
          ) : (
            folded.map(filterBox)
          )}
          {chips.map(filterBox)}
          {list.narrowed && list.items.length > 0 && (
            <Button small variant="plain" onClick={list.clear}>
              <Trans>Clear all</Trans>
            </Button>
          )}
          <ColumnsButton columns={columns} view={tableView} onView={setTableView} />
        </Filters>
      )}
      {acts.length > 0 && (
        <ChosenBar count={chosen.rows.length} onClear={chosen.clear}>
          {acts.map(({ key, draw }) => (
            <Fragment key={key}>{draw(chosen.rows, chosen.clear)}</Fragment>
          ))}
        </ChosenBar>
      )}
      {problem && page && (
        <Notice tone="bad" alert actions={retry}>
          {problemText(problem)}
        </Notice>
      )}
      <Table
        label={label}
        columns={columns}
        many={columns.length + (rowActions ? 1 : 0) > 7}
        rows={page?.data}
        rowKey={(row) => row.id}
        empty={list.narrowed ? { title: t`Nothing matches your search`, action: clear } : empty}
        failure={page ? null : failureOf(problem, list.retry)}
        sort={sortKey ? { key: sortKey, direction: view.sort.startsWith('-') ? 'desc' : 'asc' } : null}
        onSort={({ key, direction }) => show({ sort: direction === 'desc' ? `-${key}` : key })}
        rowActions={rowActions && menu}
        rowName={rowName}
        view={tableView}
        selected={chosen.selected}
        onSelect={acts.length > 0 ? chosen.select : undefined}
      />
      {page && page.total > 0 && (
        <div className="card-foot">
          <Pager
            page={page.current_page}
            last={page.last_page}
            perPage={page.per_page}
            total={page.total}
            href={list.href}
            onPage={(number) => show({ page: number })}
          />
        </div>
      )}
    </Card>
  )
}

type BoxProps = { filter: ListFilter; value: string; onChange: (value: string) => void }

function FilterBox({ filter, value, onChange }: BoxProps) {
  const { t } = useLingui()
  if (filter.as === 'day') return <FilterDay label={filter.label} value={value} onChange={onChange} />
  if (filter.as === 'select') return <FilterSelect {...filter} value={value} onChange={onChange} />
  const { label, options, total } = filter
  const chips = [{ value: '', label: t`All`, count: total }, ...options]
  return <Chips label={label} chips={chips} value={value} onChange={onChange} />
}
