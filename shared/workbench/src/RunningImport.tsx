import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Import, ImportState } from '@portal/contracts/imports'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { Button } from '@portal/ui/Button'
import { Icon } from '@portal/ui/Icon'
import { Count } from '@portal/ui/Money'

const CancelDialog = lazy(() => import('./CancelDialog.tsx'), 'CancelDialog')

/** An import at work: what it does, what it has found so far, what one may do meanwhile. */
export function RunningImport({ found, onEnd }: { found: Import; onEnd: () => void }) {
  const { t } = useLingui()
  const cancelling = useDialog()
  const saving = found.state === 'importing'
  const acts: Partial<Record<ImportState, string>> = {
    queued: t`Waiting for its turn`,
    reading: t`Reading the file and comparing its rows`,
    importing: t`Saving what was reviewed`,
  }
  const counts = [
    { key: 'new', label: t({ context: 'rows of a file', message: 'New' }), count: found.rows_new },
    {
      key: 'changed',
      label: t({ context: 'rows of a file', message: 'Changed' }),
      count: found.rows_changed,
    },
    {
      key: 'unchanged',
      label: t({ context: 'rows of a file', message: 'Unchanged' }),
      count: found.rows_unchanged,
    },
    {
      key: 'rejected',
      label: t({ context: 'rows of a file', message: 'Rejected' }),
      count: found.rows_rejected,
    },
  ]
  return (
    <section className="card card-body progress-card" aria-label={t`Progress`}>
      <div className="progress-head">
        <Icon name="spin" />
        <div>
          <h2>{acts[found.state]}</h2>
          <p className="muted" role="status">
            {saving ? (
              <Plural
                value={found.rows_new + found.rows_changed}
                one="# row is being saved, all of it or none."
                other="# rows are being saved, all of them or none."
              />
            ) : (
              <Plural value={found.rows_read} one="# row read so far" other="# rows read so far" />
            )}
          </p>
        </div>
      </div>
      <dl className="legend spaced">
        {counts.map(({ key, label, count }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <Count value={count} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="progress-foot">
        <span>
          <Trans>You can leave this page: the import goes on in the background.</Trans>
        </span>
        <Button small onClick={() => cancelling.open(true)}>
          <Trans>Cancel the import</Trans>
        </Button>
      </div>
      {cancelling.item && <CancelDialog found={found} onClose={cancelling.close} onCancelled={onEnd} />}
    </section>
  )
}
