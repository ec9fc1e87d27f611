import { Trans, useLingui } from '@lingui/react/macro'
import { Button, IconButton } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { Segmented } from '@portal/ui/Filters'
import type { TableView } from '@portal/ui/Table'
import { inOrder, moved, shown } from './column-order.ts'
import { isUsual, usualView } from './table-view.ts'

type Props = {
  /** Those that may be left out and moved, with their headings; the first column names the rows and stays. */
  columns: readonly { key: string; label: string }[]
  view: TableView
  onView: (view: TableView) => void
  onClose: () => void
}

/** Chooses and orders the columns of a list; the list follows at once. */
export function ColumnsDialog({ columns, view, onView, onClose }: Props) {
  const { t } = useLingui()
  const keys = columns.map(({ key }) => key)
  const ordered = inOrder(keys, view)
  const move = (key: string, by: 1 | -1) => onView(moved(keys, view, key, by))
  return (
    <Dialog
      title={t`Choose columns`}
      description={t`Kept for you on this device, for this list.`}
      onClose={onClose}
      footer={
        <>
          <Button variant="plain" disabled={isUsual(view)} onClick={() => onView(usualView)}>
            <Trans>Back to the usual columns</Trans>
          </Button>
          <Button variant="primary" onClick={onClose}>
            <Trans context="ends a choice">Done</Trans>
          </Button>
        </>
      }
    >
      <div className="row density">
        <span className="strong grow">
          <Trans>Row height</Trans>
        </span>
        <Segmented
          label={t`Row height`}
          value={view.compact ? 'compact' : 'usual'}
          segments={[
            { value: 'usual', label: t`Comfortable` },
            { value: 'compact', label: t`Compact` },
          ]}
          onChange={(height) => onView({ ...view, compact: height === 'compact' })}
        />
      </div>
      <ol className="column-list" aria-label={t`Columns`}>
        {ordered.map((key, place) => {
          const label = columns.find((column) => column.key === key)?.label ?? key
          return (
            <li key={key}>
              <label className="check grow">
                <input
                  type="checkbox"
                  checked={!view.hidden.includes(key)}
                  onChange={(event) => onView(shown(view, key, event.target.checked))}
                />
                <span>{label}</span>
              </label>
              <IconButton
                icon="up"
                label={t`Move ${label} up`}
                aria-disabled={place === 0}
                onClick={() => move(key, -1)}
              />
              <IconButton
                icon="down"
                label={t`Move ${label} down`}
                aria-disabled={place === ordered.length - 1}
                onClick={() => move(key, 1)}
              />
            </li>
          )
        })}
      </ol>
    </Dialog>
  )
}
