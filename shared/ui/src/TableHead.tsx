import { useLingui } from '@lingui/react/macro'
import { IconButton } from './Button.tsx'
import { Icon } from './Icon.tsx'
import type { Column, Sort } from './Table.tsx'

/** Class names, without those that do not apply. */
export const names = (...all: (string | false | undefined)[]) => all.filter(Boolean).join(' ') || undefined

/** A column's heading in plain words, as a card of a phone shows it. */
export const labelOf = <Row,>(column: Column<Row>) =>
  column.label ?? (typeof column.header === 'string' ? column.header : undefined)

type HeadingProps<Row> = { column: Column<Row>; sort?: Sort | null; onSort?: (sort: Sort) => void }

/** A heading; where its column sorts, a button that turns the order round. */
export function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const by = sort?.key === column.key ? sort.direction : undefined
  return (
    <th
      scope="col"
      className={names(
        column.align === 'right' && 'num',
        column.gap && 'gap-left',
        column.phone === 'share' && 'share-cell',
      )}
      style={column.width ? { width: column.width } : undefined}
      aria-sort={by && (by === 'asc' ? 'ascending' : 'descending')}
    >
      {column.sortable && onSort ? (
        <button
          type="button"
          className="sort"
          onClick={() => onSort({ key: column.key, direction: by === 'asc' ? 'desc' : 'asc' })}
        >
          <span>{column.header}</span>
          <Icon name="sort" size={14} />
        </button>
      ) : (
        column.header
      )}
    </th>
  )
}

type SortProps<Row> = { columns: Column<Row>[]; sort?: Sort | null; onSort: (sort: Sort) => void }

/** The order of the rows on phones, where the headings are gone. */
export function PhoneSort<Row>({ columns, sort, onSort }: SortProps<Row>) {
  const { t } = useLingui()
  const sortable = columns.filter((column) => column.sortable)
  if (sortable.length === 0) return null
  const down = sort?.direction === 'desc'
  return (
    <div className="phone-sort">
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
    </div>
  )
}
