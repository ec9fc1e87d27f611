import { Trans, useLingui } from '@lingui/react/macro'
import { type Import, imports } from '@portal/contracts/imports'
import { formatNumber } from '@portal/i18n/format'
import { isFinal } from '@portal/screens/isFinal'
import { pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { refetchTwice } from '@portal/screens/refetchTwice'
import { useDialog } from '@portal/screens/useDialog'
import { usePoll } from '@portal/screens/usePoll'
import { useCan, useQueryClient } from '@portal/sdk'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { ProgressEnded } from '@portal/ui/Progress'
import { useEffect, useRef } from 'react'
import { paths } from '../paths.ts'
import { touchedByImport } from '../touched-by-import.ts'

const CohortImportDialog = lazy(() => import('../dialogs/CohortImportDialog.tsx'), 'CohortImportDialog')

const running = (found: Import) => !isFinal(found.state)
const moving = (found: Import) => running(found) && found.state !== 'review'

/** Target lists that are still being imported: left, and come back to. */
export function RunningImports() {
  const queries = useQueryClient()
  const can = useCan()
  const watching = useDialog<Import>()
  const poll = usePoll(
    imports.list,
    { every: 2000, until: (answer) => !answer.imports.data.some(moving), enabled: can('cohorts.create') },
    { query: { kind: 'target-list' } },
  )
  const found = (poll.data?.imports.data ?? []).filter(running)
  const before = useRef(0)
  useEffect(() => {
    // One that has ended is a cohort of the list below now.
    if (found.length < before.current) refetchTwice(queries, touchedByImport)
    before.current = found.length
  }, [found.length, queries])
  return (
    <>
      {found.map((each) =>
        each.state === 'review' ? (
          <ReviewLine key={each.id} found={each} />
        ) : (
          <ImportLine key={each.id} found={each} onWatch={() => watching.open(each)} />
        ),
      )}
      {watching.item && <CohortImportDialog importId={watching.item.id} onClose={watching.close} />}
    </>
  )
}

/** Read and waiting for whoever uploaded it. */
function ReviewLine({ found }: { found: Import }) {
  return (
    <Notice
      tone="waiting"
      title={<Trans>Import of {found.file_name}</Trans>}
      actions={
        <ButtonLink small href={paths.openImport(found.id)} renderLink={pageLink}>
          <Trans>See the rows</Trans>
        </ButtonLink>
      }
    >
      <Trans>waits to be confirmed. The cohort is made when it is.</Trans>
    </Notice>
  )
}

function ImportLine({ found, onWatch }: { found: Import; onWatch: () => void }) {
  const { t } = useLingui()
  const { rows_imported: done, rows_rejected: rejected, rows_duplicate: doubled, rows_read: read } = found
  const [in_, of] = [formatNumber(done), formatNumber(read)]
  return (
    <ProgressEnded
      title={<Trans>Import of {found.file_name}</Trans>}
      when={<Trans>runs in the background</Trans>}
      total={read}
      parts={[
        { key: 'imported', label: t`Imported`, count: done, tone: 'good' },
        { key: 'duplicate', label: t`Duplicate rows ignored`, count: doubled, tone: 'waiting' },
        { key: 'rejected', label: t`Rejected rows`, count: rejected, tone: 'bad' },
      ]}
      text={t`${in_} of ${of} records imported`}
      action={
        <Button small onClick={onWatch}>
          <Trans>See progress</Trans>
        </Button>
      }
    />
  )
}
