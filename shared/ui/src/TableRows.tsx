import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Skeleton } from './Blank.tsx'
import { IconButton } from './Button.tsx'
import { Menu, type MenuItem } from './Menu.tsx'
import { Nothing } from './Money.tsx'
import { cellClass, labelOf, names, type Parts } from './table-looks.ts'
import type { Grid, RowData } from './useGrid.ts'

type RowsProps<Row extends RowData> = Parts<Row> & {
  grid: Grid<Row>
  rowActions: ((row: Row) => MenuItem[]) | undefined
  rowName: ((row: Row) => string) | undefined
}

/** The rows that came, each with its box to tick and its menu where there are any. */
export function Rows<Row extends RowData>({ grid, ...parts }: RowsProps<Row>) {
  return grid.getRowModel().rows.map((row) => <OneRow key={row.id} row={row} {...parts} />)
}

type OneRowProps<Row extends RowData> = Omit<RowsProps<Row>, 'grid'> & {
  row: ReturnType<Grid<Row>['getRowModel']>['rows'][number]
}

function OneRow<Row extends RowData>(props: OneRowProps<Row>) {
  const { row, columns, titled, choose, lines, rowActions, rowName } = props
  const [open, setOpen] = useState(false)
  const name = rowName?.(row.original)
  return (
    <tr className={names(row.getIsSelected() && 'is-chosen', open && 'is-open')}>
      {choose && (
        <td className="choose-cell">
          <ChooseBox
            name={name}
            checked={row.getIsSelected()}
            onChange={(chosen) => row.toggleSelected(chosen)}
          />
        </td>
      )}
      {columns.map((column, place) => (
        <td key={column.key} className={cellClass(column, place, titled)} data-label={labelOf(column)}>
          {column.cell ? column.cell(row.original) : plain((row.original as Fields)[column.key])}
        </td>
      ))}
      {lines && (
        <td className="open-cell">
          <OpenButton name={name} open={open} onOpen={setOpen} />
        </td>
      )}
      {rowActions && (
        <td className="menu-cell">
          <RowMenu items={rowActions(row.original)} name={name} />
        </td>
      )}
    </tr>
  )
}

type OpenProps = { name: string | undefined; open: boolean; onOpen: (open: boolean) => void }

/** Shows what two lines have no room for. */
function OpenButton({ name, open, onOpen }: OpenProps) {
  const { t } = useLingui()
  return (
    <IconButton
      icon="down"
      label={name ? t`More details of ${name}` : t`More details`}
      aria-expanded={open}
      onClick={() => onOpen(!open)}
    />
  )
}

type Fields = Record<string, unknown>
const plain = (value: unknown) =>
  value === null || value === undefined || value === '' ? <Nothing /> : String(value)

type ChooseProps = { name: string | undefined; checked: boolean; onChange: (checked: boolean) => void }

function ChooseBox({ name, checked, onChange }: ChooseProps) {
  const { t } = useLingui()
  return (
    <label className="choose">
      <input
        type="checkbox"
        aria-label={name ? t`Select ${name}` : t`Select this row`}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}

function RowMenu({ items, name }: { items: MenuItem[]; name: string | undefined }) {
  const { t } = useLingui()
  if (items.length === 0) return null
  return (
    <Menu
      trigger={<IconButton icon="more" label={name ? t`Actions for ${name}` : t`Actions`} />}
      items={items}
    />
  )
}

const widths = ['62%', '48%', '70%', '55%']

/** Empty rows with the height of real ones, as many as are expected. */
export function Skeletons<Row>({ count, columns, titled, menu, choose }: Parts<Row> & { count: number }) {
  return Array.from({ length: count }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows that are not there yet have no other name
    <tr key={at} className="sk-row">
      {choose && <td className="choose-cell" />}
      {columns.map((column, place) => (
        <td key={column.key} className={cellClass(column, place, titled)} data-label={labelOf(column)}>
          <Skeleton width={column.align === 'right' ? 36 : widths[(at + place) % widths.length]} />
        </td>
      ))}
      {menu && <td className="menu-cell" />}
    </tr>
  ))
}

type TotalsProps<Row> = Parts<Row> & { totals: Record<string, ReactNode> }

/** The sums below the rows, by column key. */
export const TotalsRow = <Row,>({ totals, columns, titled, menu, choose }: TotalsProps<Row>) => (
  <tfoot>
    <tr>
      {choose && <td className="choose-cell" />}
      {columns.map((column, place) => (
        <td key={column.key} className={cellClass(column, place, titled)} data-label={labelOf(column)}>
          {totals[column.key]}
        </td>
      ))}
      {menu && <td className="menu-cell" />}
    </tr>
  </tfoot>
)
