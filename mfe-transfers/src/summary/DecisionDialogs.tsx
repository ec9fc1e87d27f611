import type { CohortSummary, ListFlag } from '@portal/contracts/transfers/cohorts'
import { lazy } from '@portal/screens/lazy'
import type { Opened } from '@portal/screens/useDialog'
import type { Decision } from './SummaryActions.tsx'

const ApproveDialog = lazy(() => import('./decisions/ApproveDialog.tsx'), 'ApproveDialog')
const CloseCohortDialog = lazy(() => import('./decisions/CloseCohortDialog.tsx'), 'CloseCohortDialog')
const DecidedDialog = lazy(() => import('./decisions/DecidedDialog.tsx'), 'DecidedDialog')
const MoveCohortDialog = lazy(() => import('./moving/MoveCohortDialog.tsx'), 'MoveCohortDialog')
const RejectDialog = lazy(() => import('./decisions/RejectDialog.tsx'), 'RejectDialog')
const RetryDialog = lazy(() => import('./decisions/RetryDialog.tsx'), 'RetryDialog')

type Props = {
  cohort: CohortSummary
  deciding: Opened<Decision>
  onRejectedRows: () => void
  onShared: () => void
  onFlag: (flag: ListFlag) => void
}

/** The dialog of a decision, or the news that somebody else decided first. */
export function DecisionDialogs({ cohort, deciding, onRejectedRows, onShared, onFlag }: Props) {
  const { status, check, list_hash } = cohort
  const onClose = deciding.close
  const decision = deciding.item
  if (!decision) return null
  if (decision === 'close') return <CloseCohortDialog cohort={cohort} onClose={onClose} />
  if (decision === 'move') return <MoveCohortDialog cohort={cohort} onClose={onClose} />
  if (status !== (decision === 'retry' ? 'error' : 'pending'))
    return <DecidedDialog cohort={cohort} decision={decision} onClose={onClose} />
  if (decision === 'retry') return <RetryDialog cohort={cohort} onClose={onClose} />
  if (decision === 'reject') return <RejectDialog cohort={cohort} onClose={onClose} />
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
