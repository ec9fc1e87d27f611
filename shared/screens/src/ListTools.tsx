import { Plural, Trans } from '@lingui/react/macro'
import { Button } from '@portal/ui/Button'
import type { Column, TableView } from '@portal/ui/Table'
import { labelOf } from '@portal/ui/table-looks'
import type { ReactNode } from 'react'
import { lazy } from './lazy.tsx'
import { useDialog } from './useDialog.tsx'

const ColumnsDialog = lazy(() => import('./ColumnsDialog.tsx'), 'ColumnsDialog')

type ColumnsProps<Row> = {
  columns: readonly Column<Row>[]
  view: TableView
  onView: (view: TableView) => void
}

/** Opens the choice of columns; a list of two has nothing to choose. */
export function ColumnsButton<Row>({ columns, view, onView }: ColumnsProps<Row>) {
  const choosing = useDialog()
  const movable = columns
    .slice(1)
    .map((column) => ({ key: column.key, label: labelOf(column) ?? column.key }))
  if (movable.length < 2) return null
  return (
    <>
      <Button icon="columns" className="columns-button" onClick={() => choosing.open(true)}>
        <Trans>Columns</Trans>
      </Button>
      {choosing.item && (
        <ColumnsDialog columns={movable} view={view} onView={onView} onClose={choosing.close} />
      )}
    </>
  )
}

/** How many rows are chosen, what may be done with them, and the way out. */
export function ChosenBar({
  count,
  onClear,
  children,
}: {
  count: number
  onClear: () => void
  children: ReactNode
}) {
  return (
    <div className={count > 0 ? 'chosen-bar' : 'chosen-bar is-empty'}>
      <span role="status" className="strong">
        {count > 0 && <Plural value={count} one="# row selected" other="# rows selected" />}
      </span>
      {count > 0 && (
        <>
          {children}
          <Button small variant="plain" vanishes onClick={onClear}>
            <Trans>Clear the selection</Trans>
          </Button>
        </>
      )}
    </div>
  )
}
