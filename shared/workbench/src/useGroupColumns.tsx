import { Trans, useLingui } from '@lingui/react/macro'
import { type ImportRow, isDoubt, type RejectedGroup } from '@portal/contracts/imports'
import type { Column as Corrected, Sheet } from '@portal/contracts/imports/sheet'
import { Button } from '@portal/ui/Button'
import { Nothing } from '@portal/ui/Money'
import type { Column } from '@portal/ui/Table'
import { CorrectCell, Reason } from './CorrectCell.tsx'
import { columnOf, differingColumns, labelOf, namingColumns } from './columns.ts'
import { DecideRow } from './DecideRow.tsx'
import type { Corrections } from './useCorrections.tsx'

/** Whether a person decides about whole rows: two of one key, what was left out before, and what she may confirm. */
const decidedByRow = (reason: string) => ['row_conflict', 'left_out'].includes(reason) || isDoubt(reason)

/** Columns that are to be read, and can be put right, beside the one that was refused. */
const beside: Partial<Record<string, string[]>> = { age_unusual: ['current_class_level'] }

type Group = {
  group: RejectedGroup
  sheet: Sheet
  corrections: Corrections | undefined
  items: readonly ImportRow[]
  /** Opens the search for the student of a row. */
  onFind: (row: ImportRow) => void
}

/** The refused cell of a row in this group. */
const errorOf = (row: ImportRow, { column }: RejectedGroup) =>
  row.errors.find((error) => error.column === column && error.message) ?? row.errors[0]

/** What the file has in the column of a group. */
export const inFile = (row: ImportRow, group: RejectedGroup) =>
  errorOf(row, group)?.value ?? row.cells[group.column] ?? null

/** The columns of a group of rejected rows: who it is, what the file has, what is put right or decided, and why. */
export function useGroupColumns(of: Group): Column<ImportRow>[] {
  const { t } = useLingui()
  const { group, sheet, items } = of
  const differing = group.reason === 'row_conflict' ? differingColumns(sheet, group.column, items) : []
  const naming = [...new Set([...namingColumns(sheet), ...differing])].filter((key) => key !== group.column)
  return [
    { key: 'row', header: t`Row`, align: 'right', width: '64px' },
    ...naming.map((key, at) => ({
      key,
      header: labelOf(sheet, key),
      gap: at === 0,
      phone: at === 0 ? ('title' as const) : undefined,
      cell: ({ cells }: ImportRow) => cells[key] ?? <Nothing />,
    })),
    ...useCellColumns(of),
    ...useRowColumns(of),
  ]
}

/** The refused cell: as it is in the file, to be written anew, and looked up by name. */
function useCellColumns({ group, sheet, corrections, onFind }: Group): Column<ImportRow>[] {
  const { t } = useLingui()
  const column = columnOf(sheet, group.column)
  if (!column) return []
  const before: Column<ImportRow> = {
    key: 'in_file',
    header: t`In the file`,
    // A name stays on one line; the reason, which may wrap, gives way.
    width: '180px',
    cell: (row) => (inFile(row, group) ? <span className="was">{inFile(row, group)}</span> : <Nothing />),
  }
  if (!corrections) return [before]
  const others = beside[group.reason] ?? []
  const narrow = others.length > 0
  const correct = (name: string, of: Corrected, valueIn: (row: ImportRow) => string | null) => ({
    key: `corrected ${name}`,
    header: labelOf(sheet, name),
    width: narrow ? '132px' : '200px',
    cell: (row: ImportRow) => (
      <CorrectCell
        sheet={sheet}
        column={of}
        name={name}
        reason={group.reason}
        row={row.row}
        inFile={valueIn(row)}
        corrections={corrections}
        narrow={narrow}
      />
    ),
  })
  const corrected = [group.column, ...others].flatMap((name) => {
    const other = columnOf(sheet, name)
    const valueIn = (row: ImportRow) =>
      name === group.column ? inFile(row, group) : (row.cells[name] ?? null)
    return other ? [correct(name, other, valueIn)] : []
  })
  // If there are two fields, the former values have no column. The reason names them.
  if (narrow) return corrected
  // In a cell with several codes nobody can say which one is meant.
  const finds = group.reason === 'student_unknown' && !column.many
  if (!finds) return [before, ...corrected]
  const find: Column<ImportRow> = {
    key: 'find',
    header: t`Student`,
    cell: (row) => <FindButton row={row.row} onClick={() => onFind(row)} />,
  }
  return [before, ...corrected, find]
}

/** What becomes of the row, and why it was refused. */
function useRowColumns({ group, sheet, corrections }: Group): Column<ImportRow>[] {
  const { t } = useLingui()
  const reason: Column<ImportRow> = {
    key: 'reason',
    header: t`Reason`,
    wrap: true,
    cell: (row) => (
      <Reason
        sheet={sheet}
        column={columnOf(sheet, group.column)}
        message={errorOf(row, group)?.message ?? group.message}
        written={corrections?.of(row.row, group.column, inFile(row, group))}
        others={row.errors
          .filter((error) => error.column !== group.column)
          .map((error) => labelOf(sheet, error.column))}
      />
    ),
  }
  if (!corrections || !decidedByRow(group.reason)) return [reason]
  const decision: Column<ImportRow> = {
    key: 'decision',
    header: t`Decision`,
    cell: ({ row }) => <DecideRow row={row} reason={group.reason} corrections={corrections} />,
  }
  return [decision, reason]
}

function FindButton({ row, onClick }: { row: number; onClick: () => void }) {
  const { t } = useLingui()
  return (
    <Button small icon="search" aria-label={t`Find by name, row ${row}`} onClick={onClick}>
      <Trans>Find by name</Trans>
    </Button>
  )
}
