import type { CohortSummary, ListFlag } from '@portal/contracts/cohorts'
import { lazy } from '@portal/screens/lazy'
import type { Opened } from '@portal/screens/useDialog'
import type { Decision } from './SummaryActions.tsx'

const ApproveDialog = lazy(() => import('./ApproveDialog.tsx'), 'ApproveDialog')
const RejectDialog = lazy(() => import('./RejectDialog.tsx'), 'RejectDialog')
const RetryDialog = lazy(() => import('./RetryDialog.tsx'), 'RetryDialog')

type Props = {
  cohort: CohortSummary
  deciding: Opened<Decision>
  onRejectedRows: () => void
  onShared: () => void
  onFlag: (flag: ListFlag) => void
}

/** The dialog of a decision. It closes when somebody else decides first. */
export function DecisionDialogs({ cohort, deciding, onRejectedRows, onShared, onFlag }: Props) {
  const { status, check, list_hash } = cohort
  const onClose = deciding.close
  if (deciding.item === 'retry' && status === 'error')
    return <RetryDialog cohort={cohort} onClose={onClose} />
  if (status !== 'pending') return null
  if (deciding.item === 'reject') return <RejectDialog cohort={cohort} onClose={onClose} />
  if (deciding.item !== 'approve') return null
  // Another list or another overlap resets what was confirmed.
  const question = [list_hash, ...check.overlaps.map(({ cohort_id }) => cohort_id)].join()
  return (
    <ApproveDialog
      key={question}
      cohort={cohort}
      onClose={onClose}
      onRejectedRows={onRejectedRows}
      onFlag={onFlag}
      onShared={() => {
        onClose()
        onShared()
      }}
    />
  )
}
