import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Totals } from '@portal/ui/Dialog'
import { Count } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { OneEyeNotice } from '../../OneEyeNotice.tsx'
import { statusCounts } from '../plan.ts'
import './words.ts'

/** Approves again after a payment error: unknown ones are settled first, then what is still pending is sent. */
export function RetryDialog({ cohort, onClose }: { cohort: CohortSummary; onClose: () => void }) {
  const { t } = useLingui()
  const { success, failed, withheld, written_off, unknown, pending, sending } = statusCounts(cohort)
  const left = pending + sending
  const form = useEndpointForm(transfers.decide, {
    params: { id: cohort.id },
    defaults: { action: 'approved', ...(cohort.list_hash && { list_hash: cohort.list_hash }) },
    refetches: [transfers.summary, transfers.progress, transfers.cohorts],
    problems: 'approval',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={t`Retry Cohort Approval`}
      description={`${cohort.name} · ${cohort.transfer_agency.name}`}
      form={form}
      onClose={onClose}
      barred={cohort.check.barred}
      confirmLabel={
        left > 0 ? (
          <Plural value={left} one="Send the other # payment" other="Send the other # payments" />
        ) : unknown > 0 ? (
          <Plural value={unknown} one="Ask about # payment" other="Ask about # payments" />
        ) : (
          t`Retry Cohort Approval`
        )
      }
    >
      <Notice tone="bad" icon="alert" title={t`Payment error.`}>
        {cohort.error_reason}
      </Notice>
      <OneEyeNotice />
      <Totals
        label={t`Control totals`}
        rows={[
          { key: 'success', label: t`Success, not sent again`, value: <Count value={success} /> },
          {
            key: 'failed',
            label: t`Failed, not touched`,
            value: <Count value={failed + withheld + written_off} />,
          },
          { key: 'unknown', label: t`Unknown outcome, asked about first`, value: <Count value={unknown} /> },
          {
            key: 'left',
            label: t`Still to send, in the same round`,
            value: <Count value={left} />,
            sum: true,
          },
        ]}
      />
      <p>
        <Trans>Nobody is paid twice. A payment that has been sent cannot be taken back.</Trans>
      </p>
    </ConfirmDialog>
  )
}
