import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Blank, Skeleton } from './Blank.tsx'
import { Button, IconButton } from './Button.tsx'
import { Menu, type MenuItem } from './Menu.tsx'
import { Nothing } from './Money.tsx'
import { Scroll } from './Scroll.tsx'
import { Heading, labelOf, names, PhoneSort } from './TableHead.tsx'

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
  /** Place on a phone's card; the first column is its title, unless another is. `main`, `note` and `share` belong to `tight` tables. */
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

/** What stands in place of the rows: the specification's sentence, then the next step. */
export type Empty = { title: ReactNode; text?: ReactNode; action?: ReactNode }

/** Why the rows could not be read, in words. */
export type Failure = { title: ReactNode; text?: ReactNode; reference?: string; onRetry: () => void }

type TableProps<Row> = {
  /** What the table lists, for readers. */
  label: string
  columns: Column<Row>[]
  /** Undefined while they are read for the first time. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  empty: Empty | string
  failure?: Failure | null
  sort?: Sort | null
  onSort?: (sort: Sort) => void
  rowActions?: (row: Row) => MenuItem[]
  /** Names a row in "Actions for …". */
  rowName?: (row: Row) => string
  /** Cells of the totals row, by column key. */
  totals?: Record<string, ReactNode>
  /** 36 px rows · rows of two lines on a phone · narrower gaps for many columns. */
  compact?: boolean
  tight?: boolean
  many?: boolean
  /** How many rows are expected, so that nothing jumps when they come. */
  expected?: number
}

const phoneClass = {
  title: 'card-title',
  status: 'card-status',
  menu: 'menu-cell',
  hide: 'phone-hide',
  main: 'card-main',
  note: 'card-note',
  share: 'share-cell',
}
const widths = ['62%', '48%', '70%', '55%']

/** Rows under sticky headings; cards of label and value under 720 px. */
export function Table<Row>(props: TableProps<Row>) {
  const {
    label,
    columns,
    rows,
    rowKey,
    empty,
    failure,
    rowActions,
    rowName,
    totals,
    compact,
    tight,
    many,
    expected,
  } = props
  const loading = rows === undefined && !failure
  const span = columns.length + (rowActions ? 1 : 0)
  const titled = columns.some((column) => column.phone === 'title')
  const classOf = (column: Column<Row>, place: number) => {
    const phone = column.phone ?? (place === 0 && !titled ? 'title' : undefined)
    return names(
      column.align === 'right' && 'num',
      column.wrap && 'wrap',
      column.gap && 'gap-left',
      phone && phoneClass[phone],
    )
  }
  return (
    <Scroll label={label}>
      {props.onSort && <PhoneSort columns={columns} sort={props.sort} onSort={props.onSort} />}
      <table
        aria-label={label}
        aria-busy={loading || undefined}
        className={names('cards', compact && 'compact', tight && 'tight', many && 'many')}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
            {rowActions && (
              <th scope="col" className="menu-cell">
                <span className="hidden-visually">
                  <Trans>Actions</Trans>
                </span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {loading &&
            Array.from({ length: expected ?? 15 }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows that are not there yet have no other name
              <tr key={at} className="sk-row">
                {columns.map((column, place) => (
                  <td key={column.key} className={classOf(column, place)} data-label={labelOf(column)}>
                    <Skeleton width={column.align === 'right' ? 36 : widths[(at + place) % widths.length]} />
                  </td>
                ))}
                {rowActions && <td className="menu-cell" />}
              </tr>
            ))}
          {failure && (
            <NoRows span={span}>
              <Failed {...failure} />
            </NoRows>
          )}
          {!failure && rows?.length === 0 && (
            <NoRows span={span}>
              {typeof empty === 'string' ? (
                <Blank title={empty} />
              ) : (
                <Blank title={empty.title} text={empty.text} actions={empty.action} />
              )}
            </NoRows>
          )}
          {!failure &&
            rows?.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map((column, place) => (
                  <td key={column.key} className={classOf(column, place)} data-label={labelOf(column)}>
                    {column.cell ? column.cell(row) : plain(row[column.key as keyof Row])}
                  </td>
                ))}
                {rowActions && (
                  <td className="menu-cell">
                    <RowMenu items={rowActions(row)} name={rowName?.(row)} />
                  </td>
                )}
              </tr>
            ))}
        </tbody>
        {totals && rows && rows.length > 0 && (
          <tfoot>
            <tr>
              {columns.map((column, place) => (
                <td key={column.key} className={classOf(column, place)} data-label={labelOf(column)}>
                  {totals[column.key]}
                </td>
              ))}
              {rowActions && <td className="menu-cell" />}
            </tr>
          </tfoot>
        )}
      </table>
    </Scroll>
  )
}

const plain = (value: unknown) =>
  value === null || value === undefined || value === '' ? <Nothing /> : String(value)

function RowMenu({ items, name }: { items: MenuItem[]; name?: string }) {
  const { t } = useLingui()
  if (items.length === 0) return null
  return (
    <Menu
      trigger={<IconButton icon="more" label={name ? t`Actions for ${name}` : t`Actions`} />}
      items={items}
    />
  )
}

const NoRows = ({ span, children }: { span: number; children: ReactNode }) => (
  <tr className="no-rows">
    <td colSpan={span}>{children}</td>
  </tr>
)

/** The failed state of what is read: what happened, the reference of the log, and another try. */
export function Failed({ title, text, reference, onRetry }: Failure) {
  return (
    <Blank
      failed
      title={title}
      text={
        <>
          {text}
          {reference && (
            <>
              {' '}
              <Trans>Reference {reference}.</Trans>
            </>
          )}
        </>
      }
      actions={
        <Button icon="retry" onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      }
    />
  )
}
