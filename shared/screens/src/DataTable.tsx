import { Trans, useLingui } from '@lingui/react/macro'
import type { Permission } from '@portal/contracts/permissions'
import { useCan, useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import type { MenuItem } from '@portal/ui/Menu'
import { Pager } from '@portal/ui/Pager'
import { type Column, type Empty, Table } from '@portal/ui/Table'
import { Fragment, type ReactNode } from 'react'
import { type ListFilter, ListFilters } from './ListFilters.tsx'
import { ChosenBar, ColumnsButton } from './ListTools.tsx'
import { NotReadAgain } from './NotReadAgain.tsx'
import { failureOf } from './problemText.tsx'
import { useChosen } from './useChosen.tsx'
import type { List } from './useList.tsx'
import type { AddedColumns } from './useModuleColumns.tsx'
import { useTableView } from './useTableView.tsx'
import { ViewsButton } from './ViewsButton.tsx'

export type { Column } from '@portal/ui/Table'
export type { ListFilter } from './ListFilters.tsx'

/** An action on a row, or a link with `to`. Whoever has the permission, or one of several, sees it; null needs none. */
export type RowAction = Omit<MenuItem, 'href'> & {
  permission: Permission | readonly Permission[] | null
  to?: string
}

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
  /** Columns of modules, after the list's own. */
  added?: AddedColumns<Row> | undefined
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
  const { label, list, added, empty, rowActions, rowName, search, filters = [] } = props
  const columns = added ? [...props.columns, ...added.columns] : props.columns
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
  const clear = (
    <Button vanishes onClick={list.clear}>
      <Trans>Clear all</Trans>
    </Button>
  )
  const sortKey = view.sort.replace(/^-/, '')
  // An order that no column shows has no arrow.
  const isColumn = columns.some(({ key }) => key === sortKey)
  return (
    <Card>
      {(search || filters.length > 0 || columns.length > 2) && (
        <ListFilters list={list} search={search} filters={filters}>
          <span className="list-tools">
            {(search || filters.length > 0) && <ViewsButton list={list as unknown as List<unknown>} />}
            <ColumnsButton columns={columns} view={tableView} onView={setTableView} />
          </span>
        </ListFilters>
      )}
      {acts.length > 0 && (
        <ChosenBar count={chosen.rows.length} onClear={chosen.clear}>
          {acts.map(({ key, draw }) => (
            <Fragment key={key}>{draw(chosen.rows, chosen.clear)}</Fragment>
          ))}
        </ChosenBar>
      )}
      {page && <NotReadAgain problem={problem} onRetry={list.retry} />}
      {page && added?.failure}
      <Table
        label={label}
        outdated={list.outdated}
        columns={columns}
        many={columns.length + (rowActions ? 1 : 0) > 6}
        rows={page?.data}
        rowKey={(row) => row.id}
        empty={list.narrowed ? { title: t`Nothing matches your search`, action: clear } : empty}
        failure={page ? null : failureOf(problem, list.retry)}
        sort={isColumn ? { key: sortKey, direction: view.sort.startsWith('-') ? 'desc' : 'asc' } : null}
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
            capped={page.capped}
            href={list.href}
            onPage={(number) => show({ page: number })}
          />
        </div>
      )}
    </Card>
  )
}
