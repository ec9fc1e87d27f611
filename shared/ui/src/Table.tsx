import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Blank } from './Blank.tsx'
import { Button } from './Button.tsx'
import type { MenuItem } from './Menu.tsx'
import { Scroll } from './Scroll.tsx'
import { PhoneHead, TableHead } from './TableHead.tsx'
import { Rows, Skeletons, TotalsRow } from './TableRows.tsx'
import { type Column, names, type Selected, type Sort, type TableView } from './table-looks.ts'
import { type RowData, useGrid } from './useGrid.ts'
import { usePhone } from './usePhone.tsx'

export type { Column, Selected, Sort, TableView } from './table-looks.ts'

/** What stands in place of the rows: a sentence, then the next step. */
export type Empty = { title: ReactNode; text?: ReactNode; action?: ReactNode }

/** Why the rows could not be read, in words. */
export type Failure = { title: ReactNode; text?: ReactNode; reference?: string; onRetry: () => void }

type TableProps<Row> = {
  /** What the table lists, for readers. */
  label: string
  columns: Column<Row>[]
  /** Undefined while they are read for the first time. */
  rows: readonly Row[] | undefined
  /** The rows are those of the question before, until its answer comes. */
  outdated?: boolean
  rowKey: (row: Row) => string | number
  empty: Empty | string
  failure?: Failure | null
  sort?: Sort | null
  onSort?: (sort: Sort) => void
  rowActions?: (row: Row) => MenuItem[]
  /** Names a row in "Actions for …" and "Select …". */
  rowName?: (row: Row) => string
  /** Cells of the totals row, by column key. */
  totals?: Record<string, ReactNode>
  /** Which columns are shown, and how. */
  view?: TableView
  /** With `onSelect` rows can be chosen. */
  selected?: Selected
  onSelect?: (selected: Selected) => void
  /** 36 px rows · rows of two lines on a phone · narrower gaps for many columns. */
  compact?: boolean
  tight?: boolean
  many?: boolean
  /** How many rows are expected, so that nothing jumps when they come. */
  expected?: number
}

/** Rows under sticky headings; cards of label and value under 720 px. */
export function Table<Row extends RowData>(props: TableProps<Row>) {
  const { label, columns, rows, empty, failure, rowActions, rowName, totals, tight, many } = props
  const { sort, onSort, onSelect } = props
  const { grid, shown } = useGrid(props)
  const compact = props.view?.compact ?? props.compact
  const loading = rows === undefined && !failure
  const span = shown.length + (rowActions ? 1 : 0) + (onSelect ? 1 : 0)
  const titled = columns.some((column) => column.phone === 'title')
  const phone = usePhone()
  const twoLines = columns.some(({ phone: place }) => place === 'main' || place === 'note')
  const parts = {
    columns: shown,
    titled,
    menu: Boolean(rowActions),
    choose: Boolean(onSelect),
    lines: twoLines && phone,
  }
  return (
    <Scroll label={label}>
      <PhoneHead grid={grid} columns={columns} sort={sort} onSort={onSort} choose={Boolean(onSelect)} />
      <table
        aria-label={label}
        aria-busy={loading || props.outdated || undefined}
        className={names(
          'cards',
          compact && 'compact',
          tight && 'tight',
          many && 'many',
          props.outdated && 'outdated',
          twoLines && 'two-lines',
        )}
      >
        <TableHead grid={grid} {...parts} />
        <tbody>
          {loading && <Skeletons count={props.expected ?? 15} {...parts} />}
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
          {!failure && <Rows grid={grid} rowActions={rowActions} rowName={rowName} {...parts} />}
        </tbody>
        {totals && rows && rows.length > 0 && <TotalsRow totals={totals} {...parts} />}
      </table>
    </Scroll>
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
        <Button icon="retry" vanishes onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      }
    />
  )
}
