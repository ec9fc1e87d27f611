import { Trans, useLingui } from '@lingui/react/macro'
import { type ImportRow, imports, isDoubt, type RejectedGroup } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { lazy } from '@portal/screens/lazy'
import { NotReadAgain } from '@portal/screens/NotReadAgain'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { Pager } from '@portal/ui/Pager'
import { Table } from '@portal/ui/Table'
import { columnOf } from './columns.ts'
import { MendBar } from './MendBar.tsx'
import type { Corrections } from './useCorrections.tsx'
import { inFile, useGroupColumns } from './useGroupColumns.tsx'

const ApplyBar = lazy(() => import('./ApplyBar.tsx'), 'ApplyBar')
const ConfirmBar = lazy(() => import('./ConfirmBar.tsx'), 'ConfirmBar')
const FindStudentDialog = lazy(() => import('./FindStudentDialog.tsx'), 'FindStudentDialog')

type Props = { id: number; group: RejectedGroup; sheet: Sheet; corrections: Corrections | undefined }

/** The rows of one group: the value in the file beside the value being written, or what is decided of the row. */
export function GroupRows({ id, group, sheet, corrections }: Props) {
  const { t } = useLingui()
  const list = useList(imports.rows, 'rows', { params: { id } })
  const finding = useDialog<ImportRow>()
  const { page, items } = list
  const columns = useGroupColumns({ group, sheet, corrections, items, onFind: finding.open })
  const written = (row: ImportRow) => (value: string) =>
    corrections?.set({
      row: row.row,
      column: group.column,
      value,
      reason: group.reason,
      before: inFile(row, group),
    })
  const editable = corrections && columnOf(sheet, group.column) !== undefined
  return (
    <>
      {editable && <Bars id={id} group={group} sheet={sheet} corrections={corrections} items={items} />}
      {page && <NotReadAgain problem={list.problem} onRetry={list.retry} />}
      <Table
        label={t`Rejected rows`}
        columns={columns}
        many
        outdated={list.outdated}
        rows={page?.data}
        rowKey={({ row }) => row}
        empty={t`No row of the file is in this category`}
        failure={page ? null : failureOf(list.problem, list.retry)}
        expected={Math.min(group.count, 15)}
      />
      {page && (
        <div className="card-foot">
          {editable && (
            <span className="keys">
              <kbd>Enter</kbd> <Trans>next row</Trans> · <kbd>Esc</kbd> <Trans>undo</Trans>
            </span>
          )}
          <Pager
            page={page.current_page}
            last={page.last_page}
            perPage={page.per_page}
            total={page.total}
            capped={page.capped}
            href={list.href}
            onPage={(number) => list.show({ page: number })}
          />
        </div>
      )}
      {editable && finding.item && (
        <FindStudentDialog
          id={id}
          row={finding.item}
          onFound={written(finding.item)}
          onClose={finding.close}
        />
      )}
    </>
  )
}

type BarsProps = Omit<Props, 'corrections'> & { corrections: Corrections; items: readonly ImportRow[] }

/** What can be done for many rows of the group at once. */
function Bars({ id, group, sheet, corrections, items }: BarsProps) {
  const column = columnOf(sheet, group.column)
  if (!column) return null
  const changed =
    corrections.inGroup(group.column, group.reason) > 0 || corrections.replaced(group.column).length > 0
  return (
    <>
      <MendBar
        sheet={sheet}
        column={column}
        name={group.column}
        reason={group.reason}
        rows={items.map((row) => ({ row: row.row, value: inFile(row, group) }))}
        corrections={corrections}
      />
      {isDoubt(group.reason) && <ConfirmBar group={group} corrections={corrections} />}
      {changed && <ApplyBar id={id} group={group} sheet={sheet} column={column} corrections={corrections} />}
    </>
  )
}
