import type { Column } from './Table.tsx'

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
}
