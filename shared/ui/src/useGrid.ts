import {
  type ColumnDef,
  columnOrderingFeature,
  columnPinningFeature,
  columnVisibilityFeature,
  type RowData,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Column, Selected, Sort, TableView } from './table-looks.ts'

export type { RowData } from '@tanstack/react-table'

/** The features of the library that are used; the server sorts, pages and filters. */
const features = /* @__PURE__ */ tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
})

type Options<Row> = {
  columns: Column<Row>[]
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  sort?: Sort | null | undefined
  onSort?: ((sort: Sort) => void) | undefined
  view?: TableView | undefined
  selected?: Selected | undefined
  onSelect?: ((selected: Selected) => void) | undefined
}

const noRows: never[] = []
const noKeys: string[] = []
const nobody: Selected = {}
const after = <State>(change: Updater<State>, before: State): State =>
  typeof change === 'function' ? (change as (before: State) => State)(before) : change

/** Columns in the person's order, rows, sorting and selection, as TanStack Table keeps them. */
export function useGrid<Row extends RowData>(options: Options<Row>) {
  const { columns, rows, rowKey, sort, onSort, view, selected = nobody, onSelect } = options
  const first = columns[0]?.key
  const defs = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, Row> => ({
          id: column.key,
          accessorFn: (row) => (row as Record<string, unknown>)[column.key],
          enableSorting: Boolean(column.sortable && onSort),
          // The first column names the row: it is neither hidden nor moved.
          enableHiding: column.key !== first,
          sortDescFirst: false,
        }),
      ),
    [columns, onSort, first],
  )
  // The library compares by identity, so each part gets a new identity only when its content changes.
  const { key: by, direction } = sort ?? {}
  const sorting = useMemo(() => (by ? [{ id: by, desc: direction === 'desc' }] : []), [by, direction])
  const columnPinning = useMemo(() => ({ start: first ? [first] : [], end: [] }), [first])
  const hidden = view?.hidden ?? noKeys
  const columnVisibility = useMemo(
    () => Object.fromEntries(hidden.filter((key) => key !== first).map((key) => [key, false] as const)),
    [hidden, first],
  )
  const grid = useTable<typeof features, Row>({
    features,
    columns: defs,
    data: (rows ?? noRows) as Row[],
    getRowId: (row) => String(rowKey(row)),
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    enableRowSelection: Boolean(onSelect),
    state: {
      sorting,
      columnPinning,
      columnOrder: view?.order ?? noKeys,
      columnVisibility,
      rowSelection: selected,
    },
    onSortingChange: (change) => {
      const [next] = after(change, sorting)
      if (next) onSort?.({ key: next.id, direction: next.desc ? 'desc' : 'asc' })
    },
    onRowSelectionChange: (change) => onSelect?.(after(change, selected)),
  })
  const looks = new Map(columns.map((column) => [column.key, column]))
  /** The columns that are shown, in their order. */
  const inOrder = [...grid.getStartVisibleLeafColumns(), ...grid.getCenterVisibleLeafColumns()]
  const shown = inOrder.flatMap(({ id }) => looks.get(id) ?? [])
  return { grid, shown }
}

/** The table of the library, with the features that are used here. */
export type Grid<Row extends RowData> = ReturnType<typeof useGrid<Row>>['grid']
