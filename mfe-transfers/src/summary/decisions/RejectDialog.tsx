import { Plural, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { TextAreaField } from '@portal/ui/TextField'
import { fullName } from '../../words.tsx'
import './words.ts'

/** Turns a list down; whoever uploaded it is told, with the reason if there is one. */
export function RejectDialog({ cohort, onClose }: { cohort: CohortSummary; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(transfers.decide, {
    params: { id: cohort.id },
    defaults: {
      action: 'rejected',
      comment: '',
      ...(cohort.list_hash && { list_hash: cohort.list_hash }),
    },
    refetches: [transfers.summary, transfers.progress, transfers.cohorts],
    problems: 'approval',
    onDone: onClose,
  })
  const requester = fullName(cohort.user)
  return (
    <ConfirmDialog
      title={t`Reject Transfer List`}
      description={cohort.name}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={
        <Plural value={cohort.master_list_count} one="Reject # payment" other="Reject # payments" />
      }
    >
      <p>{t`Nobody on this list is paid, and ${requester} is notified. A rejected list cannot be approved later; a corrected one can be uploaded.`}</p>
      <TextAreaField
        control={form.control}
        name="comment"
        label={t`Reason (optional)`}
        help={t`It stays on this page, where ${requester} reads it.`}
        maxLength={1000}
      />
    </ConfirmDialog>
  )
}
