import { Trans, useLingui } from '@lingui/react/macro'
import type { Import, ImportState } from '@portal/contracts/imports'

import { formatNumber } from '@portal/i18n/format'
import { Notice } from '@portal/ui/Notice'
import { ProgressCard } from '@portal/ui/Progress'
import { isFinal } from './isFinal.tsx'

/** What polls know of an import. */
type Watched = Pick<Import, 'state' | 'rows_read' | 'rows_imported' | 'rows_rejected' | 'rows_duplicate'>

/** Shows how many records of an import were written. While it runs, it says that it goes on in the background. */
export function ImportFigures({ found }: { found: Watched }) {
  const { t } = useLingui()
  const words: Record<ImportState, string> = {
    queued: t`Waiting for its turn`,
    reading: t`Reading and checking the file`,
    review: t`Waiting to be confirmed`,
    importing: t`Importing records`,
    imported: t`Import finished`,
    failed: t`Import failed`,
    cancelled: t`Import cancelled`,
  }
  const { rows_read: read, rows_imported: done, rows_rejected: rejected, rows_duplicate: doubled } = found
  const [in_, of] = [formatNumber(done), formatNumber(read)]
  const rest = Math.max(0, read - done - rejected - doubled)
  const figures = (
    <ProgressCard
      title={words[found.state]}
      text={
        <span role="status">
          {read > 0 ? t`${in_} of ${of} records imported` : t`${in_} records imported`}
        </span>
      }
      total={read}
      parts={[
        { key: 'imported', label: t`Imported`, count: done, tone: 'good' },
        { key: 'duplicate', label: t`Duplicate rows ignored`, count: doubled, tone: 'waiting' },
        { key: 'rejected', label: t`Rejected rows`, count: rejected, tone: 'bad' },
        { key: 'rest', label: t`Still to come`, count: rest, tone: 'rest' },
      ]}
    />
  )
  if (isFinal(found.state)) return figures
  return (
    <>
      {figures}
      <Notice tone="info">
        <Trans>The import runs in the background. You can leave this page and come back to it.</Trans>
      </Notice>
    </>
  )
}
