import { Trans, useLingui } from '@lingui/react/macro'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { CohortPill } from '../../words.tsx'
import type { Decision } from '../SummaryActions.tsx'
import './words.ts'

type Props = { cohort: CohortSummary; decision: Exclude<Decision, 'close' | 'move'>; onClose: () => void }

/** Takes the place of the dialog of a decision when somebody else decides first. It stays until it is closed. */
export function DecidedDialog({ cohort, decision, onClose }: Props) {
  const { t } = useLingui()
  const titles: Record<typeof decision, string> = {
    approve: t`Approve Transfer List`,
    reject: t`Reject Transfer List`,
    retry: t`Retry Cohort Approval`,
  }
  return (
    <DetailsDialog
      title={titles[decision]}
      description={cohort.name}
      facts={[
        {
          key: 'status',
          label: t`Status`,
          value: <CohortPill status={cohort.status} stopped={cohort.stopped} closed={cohort.closed} />,
        },
      ]}
      onClose={onClose}
    >
      <p role="alert">
        <Trans>This cohort was decided in the meantime.</Trans>
      </p>
    </DetailsDialog>
  )
}
