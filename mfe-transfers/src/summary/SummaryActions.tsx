import { Plural, Trans } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import { type CohortSummary, listStatuses } from '@portal/contracts/transfers/cohorts'
import { ExportButton } from '@portal/screens/ExportButton'
import { pageLink } from '@portal/screens/ListPage'
import { useCan } from '@portal/sdk'
import { Button, ButtonLink } from '@portal/ui/Button'
import { paths } from '../paths.ts'
import type { SummaryList } from './MasterList.tsx'
import { statusCounts } from './plan.ts'

/** What may be decided about a cohort. */
export type Decision = 'approve' | 'reject' | 'retry' | 'close' | 'move'

/** Decisions while they are open, exports afterwards. */
export function SummaryActions({
  cohort,
  view,
  onDecide,
}: {
  cohort: CohortSummary
  /** What narrows its list now. */
  view: SummaryList['view']
  onDecide: (decision: Decision) => void
}) {
  const can = useCan()
  const decides = can('cohorts.approve')
  const { status } = cohort
  if (status === 'pending') {
    if (!decides || cohort.master_list_count === 0 || cohort.import.state !== 'imported') return null
    return (
      <>
        <Button variant="danger" onClick={() => onDecide('reject')}>
          <Trans>Reject Transfer List</Trans>
        </Button>
        <Button variant="primary" onClick={() => onDecide('approve')}>
          <Trans>Approve Transfer List</Trans>
        </Button>
      </>
    )
  }
  const retries = status === 'error' && decides
  const { pending, sending } = statusCounts(cohort)
  const left = pending + sending
  return (
    <>
      <ExportButton
        endpoint={transfers.exportCohort}
        body={{
          cohort_id: cohort.id,
          search: view.search,
          status: listStatuses.find((one) => one === view.filter('status')),
          ...(view.filter('shared') && { shared: 'yes' }),
          ...(view.filter('names') && { names: 'differ' }),
        }}
        permission="cohorts.export"
      >
        <Trans>Export Cohort Master List (Excel)</Trans>
      </ExportButton>
      {status !== 'rejected' && !cohort.closed && !cohort.moving && can('cohorts.create') && (
        <Button onClick={() => onDecide('move')}>
          <Trans>Change agency</Trans>
        </Button>
      )}
      {status === 'approved' && !cohort.closed && decides && (
        <Button onClick={() => onDecide('close')}>
          <Trans>Close cohort</Trans>
        </Button>
      )}
      {status !== 'rejected' && (
        <ButtonLink
          variant={retries ? 'secondary' : 'primary'}
          href={paths.payrolls(cohort.id)}
          renderLink={pageLink}
        >
          <Trans>See disbursement rounds</Trans>
        </ButtonLink>
      )}
      {retries && (
        <Button variant="primary" icon="retry" onClick={() => onDecide('retry')}>
          {/* The English words are agreed; the French ones also say how many. */}
          <Plural value={left} other="Retry Cohort Approval" />
        </Button>
      )}
    </>
  )
}
