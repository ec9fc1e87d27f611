import { Trans, useLingui } from '@lingui/react/macro'
import type { SavedView } from '@portal/contracts/saved-views'
import { Button, IconButton } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { useState } from 'react'
import { DeleteViewDialog } from './DeleteViewDialog.tsx'
import { EditViewDialog } from './EditViewDialog.tsx'

type Props = {
  views: readonly SavedView[]
  /** What the list shows now. */
  query: string
  onClose: () => void
}

/** The person's views of a list, each to be changed or deleted. Its own dialog takes the place of this one meanwhile. */
export function ViewsDialog({ views, query, onClose }: Props) {
  const { t } = useLingui()
  const [act, setAct] = useState<{ view: SavedView; deletes: boolean } | null>(null)
  const back = () => setAct(null)
  if (act?.deletes) return <DeleteViewDialog view={act.view} onClose={back} />
  if (act) return <EditViewDialog view={act.view} query={query} onClose={back} />
  return (
    <Dialog
      title={t`My views of this list`}
      description={t`Only you see them, on every device.`}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      {views.length === 0 && <p>{t`No view is left.`}</p>}
      <ul className="column-list">
        {views.map((view) => {
          const { id, name } = view
          return (
            <li key={id}>
              <span className="grow break">{name}</span>
              <IconButton
                icon="pencil"
                label={t`Change ${name}`}
                onClick={() => setAct({ view, deletes: false })}
              />
              <IconButton
                icon="trash"
                label={t`Delete ${name}`}
                onClick={() => setAct({ view, deletes: true })}
              />
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
