import type { ReactNode } from 'react'

type Look = {
  header: ReactNode
  /** Label on a phone's card when the header is not plain words. */
  label?: string
  align?: 'left' | 'right'
  sortable?: boolean
  /** May take several lines. */
  wrap?: boolean
  width?: string
  /** More room before it: after a column of numbers. */
  gap?: boolean
  /**
   * Place on a phone's card; the first column is its title, unless another is. With a `main` or a `note` a row has two lines:
   * title and `main`, then each `note`; the others, and each `.more`, come once the row is opened. `share` belongs to
   * `tight` tables.
   */
  phone?: 'title' | 'status' | 'menu' | 'hide' | 'main' | 'note' | 'share'
}

/** A column: a field of the row by its key, or any key with a cell of its own. */
export type Column<Row> = Look &
  (
    | { key: keyof Row & string; cell?: (row: Row) => ReactNode }
    | { key: string; cell: (row: Row) => ReactNode }
  )

/** What is sorted by, and which way. */
export type Sort = { key: string; direction: 'asc' | 'desc' }

/** How somebody wants to see a list: columns in their order, those left out, rows of 36 px. */
export type TableView = { order: string[]; hidden: string[]; compact: boolean }

/** The rows that are chosen, by their keys. */
export type Selected = Record<string, true>

/** Class names, without those that do not apply. */
export const names = (...all: (string | false | undefined)[]) => all.filter(Boolean).join(' ') || undefined

/** A column's heading in plain words, as a card of a phone shows it. */
export const labelOf = <Row>(column: Column<Row>) =>
  column.label ?? (typeof column.header === 'string' ? column.header : undefined)

const phoneClass = {
  title: 'card-title',
  status: 'card-status',
  menu: 'menu-cell',
  hide: 'phone-hide',
  main: 'card-main',
  note: 'card-note',
  share: 'share-cell',
}

/** The classes of a column's cells; the first column is pinned, and the title of a phone's card unless another is. */
export function cellClass<Row>(column: Column<Row>, place: number, titled: boolean): string | undefined {
  const phone = column.phone ?? (place === 0 && !titled ? 'title' : undefined)
  return names(
    place === 0 && 'pinned',
    column.align === 'right' && 'num',
    column.wrap && 'wrap',
    column.gap && 'gap-left',
    phone && phoneClass[phone],
  )
}

/** What every part of one table knows of it. */
export type Parts<Row> = {
  /** Those that are shown, in their order. */
  columns: Column<Row>[]
  titled: boolean
  /** Whether a row ends with a menu, and begins with a box to tick. */
  menu: boolean
  choose: boolean
  /** Whether rows have two lines, and a button that opens them: on a phone. */
  lines: boolean
}
