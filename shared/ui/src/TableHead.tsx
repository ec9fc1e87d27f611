import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { IconButton } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { type Column, labelOf, names, type Parts, type Sort } from './table-looks.ts'
import type { Grid, RowData } from './useGrid.ts'

type HeadProps<Row extends RowData> = Parts<Row> & { grid: Grid<Row> }

/** The headings, with the box that chooses every row of the page. */
export const TableHead = <Row extends RowData>({ grid, columns, menu, choose }: HeadProps<Row>) => (
  <thead>
    <tr>
      {choose && (
        <th scope="col" className="choose-cell">
          <ChooseAll grid={grid} />
        </th>
      )}
      {columns.map((column, place) => (
        <Heading key={column.key} grid={grid} column={column} pinned={place === 0} />
      ))}
      {menu && (
        <th scope="col" className="menu-cell">
          <span className="hidden-visually">
            <Trans>Actions</Trans>
          </span>
        </th>
      )}
    </tr>
  </thead>
)

type HeadingProps<Row extends RowData> = { grid: Grid<Row>; column: Column<Row>; pinned: boolean }

/** A heading; where its column sorts, a button that turns the order round. */
function Heading<Row extends RowData>({ grid, column, pinned }: HeadingProps<Row>) {
  const sorting = grid.getColumn(column.key)
  const by = sorting?.getIsSorted()
  return (
    <th
      scope="col"
      className={names(
        pinned && 'pinned',
        column.align === 'right' && 'num',
        column.wrap && 'wrap',
        column.gap && 'gap-left',
        column.phone === 'share' && 'share-cell',
      )}
      style={column.width ? { width: column.width } : undefined}
      aria-sort={by ? (by === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {sorting?.getCanSort() ? (
        <button type="button" className="sort" onClick={() => sorting.toggleSorting()}>
          <span>{column.header}</span>
          <Icon name="sort" size={14} />
        </button>
      ) : (
        column.header
      )}
    </th>
  )
}

/** Chooses every row of the page, or none of it; a dash where only some are chosen. */
function ChooseAll<Row extends RowData>({ grid }: { grid: Grid<Row> }) {
  const { t } = useLingui()
  const { rows } = grid.getRowModel()
  const chosen = rows.filter((row) => row.getIsSelected()).length
  const all = rows.length > 0 && chosen === rows.length
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && !all
  }, [chosen, all])
  return (
    <label className="choose">
      <input
        ref={box}
        type="checkbox"
        aria-label={t`Select all rows of this page`}
        checked={all}
        disabled={rows.length === 0}
        onChange={(event) => grid.toggleAllPageRowsSelected(event.target.checked)}
      />
    </label>
  )
}

type PhoneProps<Row extends RowData> = {
  grid: Grid<Row>
  columns: Column<Row>[]
  sort: Sort | null | undefined
  onSort: ((sort: Sort) => void) | undefined
  choose: boolean
}

/** What phones have in place of the headings: the order of the rows, and the choice of all of them. */
export function PhoneHead<Row extends RowData>({ grid, columns, sort, onSort, choose }: PhoneProps<Row>) {
  const { t } = useLingui()
  const sortable = onSort ? columns.filter((column) => column.sortable) : []
  if (sortable.length === 0 && !choose) return null
  const down = sort?.direction === 'desc'
  return (
    <div className="phone-sort">
      {choose && <ChooseAll grid={grid} />}
      {onSort && sortable.length > 0 && (
        <>
          <span className="select grow">
            <select
              className="input"
              aria-label={t`Sort by`}
              value={sort?.key ?? ''}
              onChange={(event) => onSort({ key: event.target.value, direction: 'asc' })}
            >
              {!sort && <option value="">{t`Sort by`}</option>}
              {sortable.map((column) => (
                <option key={column.key} value={column.key}>
                  {labelOf(column) ?? column.key}
                </option>
              ))}
            </select>
            <Icon name="down" size={16} />
          </span>
          <IconButton
            icon="sort"
            className={down ? undefined : 'turned'}
            label={down ? t`Descending order` : t`Ascending order`}
            disabled={!sort}
            onClick={() => sort && onSort({ key: sort.key, direction: down ? 'asc' : 'desc' })}
          />
        </>
      )}
    </div>
  )
}
