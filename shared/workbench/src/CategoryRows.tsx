import { Trans, useLingui } from '@lingui/react/macro'
import { type ImportRow, imports, type RowCategory } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { useList } from '@portal/screens/useList'
import { Icon } from '@portal/ui/Icon'
import { Nothing } from '@portal/ui/Money'
import { filledColumns, inFile, labelOf, namingColumns, readable } from './columns.ts'
import { DecideRow } from './DecideRow.tsx'
import { LikelyBar } from './LikelyBar.tsx'
import type { Corrections } from './useCorrections.tsx'

type Row = ImportRow & { id: number }
type Props = {
  id: number
  kind: Exclude<RowCategory, 'rejected'>
  sheet: Sheet
  corrections: Corrections | undefined
}

/** The rows of one category as they stand in the file; of changed ones what they change. */
export function CategoryRows({ id, kind, sheet, corrections }: Props) {
  const { t } = useLingui()
  const list = useList(
    imports.rows,
    ({ rows }) => ({ ...rows, data: rows.data.map((row) => ({ ...row, id: row.row })) }),
    { params: { id } },
  )
  const plain = (key: string): Column<Row> => ({
    key,
    header: labelOf(sheet, key),
    cell: ({ cells }) => (cells[key] ? inFile(sheet, key, cells[key]) : <Nothing />),
  })
  const row: Column<Row> = { key: 'row', header: t`Row`, align: 'right', width: '64px' }
  const spaced = ([first, ...rest]: Column<Row>[]) =>
    first ? [{ ...first, gap: true, phone: 'title' as const }, ...rest] : []
  const anyLikely = list.items.some((each) => each.likely.length > 0)
  const columns: Record<Props['kind'], () => Column<Row>[]> = {
    new: () => spaced(filledColumns(sheet, list.items, anyLikely ? 6 : 9).map(plain)),
    changed: () => [
      ...spaced(namingColumns(sheet).map(plain)),
      {
        key: 'changes',
        header: t`What changes`,
        wrap: true,
        cell: (each) => <Changes row={each} sheet={sheet} />,
      },
    ],
    duplicate: () => [
      ...spaced(namingColumns(sheet).map(plain)),
      {
        key: 'same_as',
        header: t`Repeats`,
        cell: ({ same_as }) => (same_as ? <Trans>Row {same_as}</Trans> : <Nothing />),
      },
    ],
  }
  const likely: Column<Row>[] = anyLikely
    ? [
        {
          key: 'likely',
          header: t`Perhaps the same as`,
          wrap: true,
          cell: (each) => (each.likely.length > 0 ? <Likely row={each} /> : <Nothing />),
        },
      ]
    : []
  // A duplicate is not imported anyway.
  const decision: Column<Row>[] =
    corrections && kind !== 'duplicate'
      ? [
          {
            key: 'decision',
            header: t`Decision`,
            cell: ({ row }) => <DecideRow row={row} corrections={corrections} />,
          },
        ]
      : []
  const labels = { new: t`New rows`, changed: t`Changed rows`, duplicate: t`Duplicate rows` }
  const table = (
    <DataTable
      label={labels[kind]}
      // The category is part of the address, and no filter that somebody could clear.
      list={{ ...list, narrowed: false }}
      columns={[row, ...columns[kind](), ...likely, ...decision]}
      // Whoever gets here was told of rows by the figures.
      empty={{
        title: t`The rows of this import are not kept`,
        text: t`Its figures are: they are the counts above. Its rows stand in the original file, which you can download.`,
      }}
    />
  )
  if (kind !== 'new' || !corrections) return table
  return (
    <>
      <LikelyBar
        id={id}
        only={list.view.filter('likely') !== ''}
        onToggle={(only) => list.show({ likely: only ? '1' : '' })}
      />
      {table}
    </>
  )
}

/** Cell by cell: what is stored, and what it becomes. */
function Changes({ row, sheet }: { row: ImportRow; sheet: Sheet }) {
  return (
    <ul className="changes">
      {row.changes.map(({ column, old_value, new_value }) => (
        <li key={column}>
          <span className="muted">{labelOf(sheet, column)}</span>{' '}
          <del>{old_value ? readable(sheet, column, old_value) : <Trans>empty</Trans>}</del>
          <Icon name="arrow" size={14} />
          <ins>{new_value ? readable(sheet, column, new_value) : <Trans>empty</Trans>}</ins>
        </li>
      ))}
    </ul>
  )
}

/** People with nearly the same name, in the register or the file: the row may give one of them a second code. */
function Likely({ row }: { row: Row }) {
  return (
    <ul>
      {row.likely.map(({ code, name, place, twin }) => (
        <li key={`${code} ${twin}`}>
          <Icon name="alert" size={14} /> {name}, {code}
          <span className="sub">
            {twin ? <Trans>Row {twin} of this file</Trans> : <Trans>in the register</Trans>} · {place}
          </span>
        </li>
      ))}
    </ul>
  )
}
