import { Trans, useLingui } from '@lingui/react/macro'
import { type ImportRow, imports, type RejectedGroup } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/sheet'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useList } from '@portal/screens/useList'
import { Nothing } from '@portal/ui/Money'
import { Pager } from '@portal/ui/Pager'
import { type Column, Table } from '@portal/ui/Table'
import { CorrectCell, Reason } from './CorrectCell.tsx'
import { columnOf, differingColumns, labelOf, namingColumns } from './columns.ts'
import { DecideRow } from './DecideRow.tsx'
import { MendBar } from './MendBar.tsx'
import type { Corrections } from './useCorrections.tsx'

const ApplyBar = lazy(() => import('./ApplyBar.tsx'), 'ApplyBar')

/** Groups of which a person decides about whole rows: two of one key, and what was left out before. */
const decidedByRow = ['row_conflict', 'left_out']

type Props = { id: number; group: RejectedGroup; sheet: Sheet; corrections: Corrections | undefined }

/** The rows of one group: the value in the file beside the value being written. */
export function GroupRows({ id, group, sheet, corrections }: Props) {
  const { t } = useLingui()
  const list = useList(imports.rows, 'rows', { params: { id } })
  const column = columnOf(sheet, group.column)
  const errorOf = (row: ImportRow) =>
    row.errors.find((error) => error.column === group.column && error.message) ?? row.errors[0]
  const inFile = (row: ImportRow) => errorOf(row)?.value ?? row.cells[group.column] ?? null
  const differing = group.reason === 'row_conflict' ? differingColumns(sheet, group.column, list.items) : []
  const naming = [...new Set([...namingColumns(sheet), ...differing])].filter((key) => key !== group.column)
  const columns: Column<ImportRow>[] = [
    { key: 'row', header: t`Row`, align: 'right', width: '64px' },
    ...naming.map((key, at) => ({
      key,
      header: labelOf(sheet, key),
      gap: at === 0,
      phone: at === 0 ? ('title' as const) : undefined,
      cell: ({ cells }: ImportRow) => cells[key] ?? <Nothing />,
    })),
  ]
  if (group.column)
    columns.push({
      key: 'in_file',
      header: t`In the file`,
      cell: (row) => (inFile(row) ? <span className="was">{inFile(row)}</span> : <Nothing />),
    })
  if (column && corrections) {
    columns.push({
      key: 'corrected',
      header: labelOf(sheet, group.column),
      width: '200px',
      cell: (row) => (
        <CorrectCell
          sheet={sheet}
          column={column}
          name={group.column}
          reason={group.reason}
          row={row.row}
          inFile={inFile(row)}
          corrections={corrections}
        />
      ),
    })
  }
  if (corrections && decidedByRow.includes(group.reason))
    columns.push({
      key: 'decision',
      header: t`Decision`,
      cell: ({ row }) => <DecideRow row={row} reason={group.reason} corrections={corrections} />,
    })
  columns.push({
    key: 'reason',
    header: t`Reason`,
    wrap: true,
    cell: (row) => (
      <Reason
        sheet={sheet}
        column={column}
        message={errorOf(row)?.message ?? group.message}
        written={corrections?.of(row.row, group.column, inFile(row))}
        others={row.errors
          .filter((error) => error.column !== group.column)
          .map((error) => labelOf(sheet, error.column))}
      />
    ),
  })
  const { page } = list
  const changed =
    corrections &&
    (corrections.inGroup(group.column, group.reason) > 0 || corrections.replaced(group.column).length > 0)
  return (
    <>
      {column && corrections && (
        <MendBar
          sheet={sheet}
          column={column}
          name={group.column}
          reason={group.reason}
          rows={list.items.map((row) => ({ row: row.row, value: inFile(row) }))}
          corrections={corrections}
        />
      )}
      {column && corrections && changed && (
        <ApplyBar id={id} group={group} sheet={sheet} column={column} corrections={corrections} />
      )}
      <Table
        label={t`Rejected rows`}
        columns={columns}
        rows={page?.data}
        rowKey={({ row }) => row}
        empty={t`No row of the file is in this pile`}
        failure={page ? null : failureOf(list.problem, list.retry)}
        expected={Math.min(group.count, 15)}
      />
      {page && (
        <div className="card-foot">
          {column && corrections && (
            <span className="keys">
              <kbd>Enter</kbd> <Trans>next row</Trans> · <kbd>Esc</kbd> <Trans>undo</Trans>
            </span>
          )}
          <Pager
            page={page.current_page}
            last={page.last_page}
            perPage={page.per_page}
            total={page.total}
            href={list.href}
            onPage={(number) => list.show({ page: number })}
          />
        </div>
      )}
    </>
  )
}
