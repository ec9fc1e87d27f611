import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { OneEyeNotice } from '../../OneEyeNotice.tsx'
import './words.ts'

type Props = { cohort: CohortSummary; left: number; onClose: () => void }

/** Goes on where Stop held the round. */
export function ResumeDialog({ cohort, left, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(transfers.resume, {
    params: { id: cohort.id },
    refetches: [transfers.progress, transfers.summary],
    problems: 'approval',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={t`Resume payments`}
      description={cohort.name}
      form={form}
      onClose={onClose}
      barred={cohort.check.barred}
      confirmLabel={
        left > 0 ? (
          <Plural value={left} one="Send the other # payment" other="Send the other # payments" />
        ) : (
          t`Resume payments`
        )
      }
    >
      <OneEyeNotice />
      <p>
        <Trans>
          The round goes on where it was stopped. Rounds whose day has passed meanwhile are missed; an
          approver may start each of them by hand. A payment that has been sent cannot be taken back.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
