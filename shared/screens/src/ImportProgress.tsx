import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type Import, type ImportState, imports } from '@portal/contracts/imports'
import { formatNumber, formatPercent } from '@portal/i18n/format'
import { Skeleton } from '@portal/ui/Blank'
import { Notice } from '@portal/ui/Notice'
import { Failed } from '@portal/ui/Table'
import { type ReactNode, useEffect, useRef } from 'react'
import { problemText } from './problemText.tsx'
import { RejectedRows } from './RejectedRows.tsx'
import { usePoll } from './usePoll.tsx'

const finals: readonly ImportState[] = ['imported', 'failed', 'cancelled']
/** Whether nothing more happens to an import. */
export const isFinal = (state: ImportState): boolean => finals.includes(state)

type Props = {
  id: number
  /** When it ends, once; also if it had ended already. */
  onEnd?: (ended: Import) => void
  /** What to do next, once everything is in. */
  next?: ReactNode
}

/** An import watched every second until it ends: how many records are in, what was rejected and why. */
export function ImportProgress({ id, onEnd, next }: Props) {
  const { t } = useLingui()
  const poll = usePoll(
    imports.read,
    { every: 1000, until: (answer) => isFinal(answer.import.state) },
    { params: { id } },
  )
  const found = poll.data?.import
  const ended = found && isFinal(found.state) ? found : undefined
  const told = useRef(false)
  useEffect(() => {
    if (!ended || told.current) return
    told.current = true
    onEnd?.(ended)
  }, [ended, onEnd])
  if (!found) {
    return poll.error ? (
      <Failed title={problemText(poll.error)} onRetry={() => void poll.refetch()} />
    ) : (
      <Skeleton width="60%" height={20} />
    )
  }
  const words: Record<ImportState, string> = {
    queued: t`Waiting for its turn`,
    reading: t`Reading and checking the file`,
    review: t`Waiting to be confirmed`,
    importing: t`Importing records`,
    imported: t`Import finished`,
    failed: t`Import failed`,
    cancelled: t`Import cancelled`,
  }
  return (
    <>
      <ImportFigures found={found} title={words[found.state]} />
      {!ended && (
        <Notice tone="info">
          <Trans>The import runs in the background. You can leave this page and come back to it.</Trans>
        </Notice>
      )}
      {found.state === 'failed' && (
        <Notice tone="bad" alert title={t`Nothing was imported.`}>
          {found.problem}
        </Notice>
      )}
      {found.state === 'cancelled' && <Notice tone="waiting">{t`Nothing was imported.`}</Notice>}
      {found.state === 'imported' && (
        <Notice tone="good" actions={next}>
          <Plural value={found.rows_imported} one="# record was imported." other="# records were imported." />
        </Notice>
      )}
      {found.rows_rejected > 0 && <RejectedRows found={found} />}
    </>
  )
}

function ImportFigures({ found, title }: { found: Import; title: string }) {
  const { t } = useLingui()
  const { rows_read: read, rows_imported: done, rows_rejected: rejected, rows_duplicate: doubled } = found
  const share = read > 0 ? Math.min(1, (done + rejected + doubled) / read) : 0
  const part = (count: number) => (read > 0 ? `${(100 * count) / read}%` : '0%')
  return (
    <section className="import-progress" aria-busy={!isFinal(found.state)}>
      <div className="progress-head">
        <h2>{title}</h2>
        <span className="figure">{formatPercent(found.state === 'imported' ? 1 : share)}</span>
      </div>
      <p className="muted" role="status">
        {read > 0 ? (
          <Trans>
            {formatNumber(done)} of {formatNumber(read)} records imported
          </Trans>
        ) : (
          <Trans>{formatNumber(done)} records imported</Trans>
        )}
      </p>
      <div className="bar" aria-hidden="true">
        <span style={{ width: part(done) }} hidden={done === 0} />
        <span className="waiting" style={{ width: part(doubled) }} hidden={doubled === 0} />
        <span className="bad" style={{ width: part(rejected) }} hidden={rejected === 0} />
      </div>
      <dl className="legend">
        {[
          { key: 'good', label: t`Imported`, count: done },
          { key: 'waiting', label: t`Duplicate rows ignored`, count: doubled },
          { key: 'bad', label: t`Rejected rows`, count: rejected },
          { key: '', label: t`Rows read`, count: read },
        ].map(({ key, label, count }) => (
          <div key={label}>
            <dt>
              <span className={`swatch ${key}`} />
              {label}
            </dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
