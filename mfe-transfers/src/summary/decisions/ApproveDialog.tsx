import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { invalidate } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import type { CohortSummary, ListFlag } from '@portal/contracts/transfers/cohorts'
import { today } from '@portal/i18n/format'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { lazy } from '@portal/screens/lazy'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useQueryClient } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { PaidBefore } from '../../dialogs/PaidBefore.tsx'
import { ApprovalBalance } from '../approval/ApprovalBalance.tsx'
import { ApprovalBudget } from '../approval/ApprovalBudget.tsx'
import { ApprovalChanges } from '../approval/ApprovalChanges.tsx'
import { ApprovalLimit } from '../approval/ApprovalLimit.tsx'
import { ApprovalNames } from '../approval/ApprovalNames.tsx'
import { useApprovalLimit } from '../approval/useApprovalLimit.tsx'
import { approvalPlan } from '../plan.ts'
import { ApprovalFlags } from './ApprovalFlags.tsx'
import { ApprovalPlan } from './ApprovalPlan.tsx'
import { ApprovalTotals } from './ApprovalTotals.tsx'
import { FourEyes } from './FourEyes.tsx'
import './words.ts'

const ApprovalAttendance = lazy(() => import('../attendance/ApprovalAttendance.tsx'), 'ApprovalAttendance')

type Props = {
  cohort: CohortSummary
  onClose: () => void
  onRejectedRows: () => void
  onShared: () => void
  onFlag: (flag: ListFlag) => void
}

/** The approval in figures: what is paid now and later, what to look at, who may, and that it is final. */
export function ApproveDialog({ cohort, onClose, onRejectedRows, onShared, onFlag }: Props) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { check, list_hash } = cohort
  const form = useEndpointForm(transfers.decide, {
    params: { id: cohort.id },
    defaults: { action: 'approved', confirmed_overlaps: [], ...(list_hash && { list_hash }) },
    refetches: [transfers.summary, transfers.progress, transfers.cohorts],
    problems: 'approval',
    onDone: onClose,
  })
  const confirmed = form.fields.watch('confirmed_overlaps') ?? []
  const open = check.overlaps.filter(({ cohort_id }) => !confirmed.includes(cohort_id))
  const paid = form.fields.watch('paid_before')
  const plan = approvalPlan(cohort, today(), paid)
  const limit = useApprovalLimit(cohort.id)
  const barred =
    check.barred || limit.data?.barred ? (
      t`Somebody else must approve it.`
    ) : open.length > 0 ? (
      <Plural value={open.length} one="Confirm the overlap first." other="Confirm the # overlaps first." />
    ) : check.perhaps_paid && paid === undefined ? (
      t`Ask the agency first.`
    ) : null
  return (
    <ConfirmDialog
      title={t`Approve Transfer List`}
      description={`${cohort.name} · ${cohort.transfer_agency.name}`}
      form={form}
      onClose={onClose}
      barred={barred}
      confirmLabel={
        <Plural value={cohort.master_list_count} one="Approve # payment" other="Approve # payments" />
      }
    >
      {form.problem?.status === 409 && (
        <div>
          <Button
            icon="retry"
            onClick={() => void invalidate(queries, transfers.summary, transfers.progress)}
          >
            <Trans>Reload the list</Trans>
          </Button>
        </div>
      )}
      <ApprovalTotals cohort={cohort} plan={plan} />
      <ApprovalLimit read={limit} />
      <ApprovalBudget cohort={cohort} />
      <ApprovalBalance cohort={cohort} />
      <ApprovalNames cohort={cohort} />
      <ApprovalChanges cohort={cohort} />
      <ApprovalAttendance cohort={cohort} />
      <ApprovalFlags
        cohort={cohort}
        confirmed={confirmed.map(Number)}
        onConfirm={(ids) => form.fields.setValue('confirmed_overlaps', ids)}
        onRejectedRows={onRejectedRows}
        onShared={onShared}
        onFlag={onFlag}
      />
      {check.perhaps_paid && (
        <PaidBefore
          agency={cohort.transfer_agency.name}
          paid={paid}
          onAnswer={(answer) => form.fields.setValue('paid_before', answer, { shouldDirty: true })}
        />
      )}
      <FourEyes cohort={cohort} />
      <ApprovalPlan plan={plan} />
    </ConfirmDialog>
  )
}
