import { useLingui } from '@lingui/react/macro'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { type VisitRecord, visits } from '../visits.ts'

/** Deletes a visit. */
export function RemoveVisitDialog({ visit, onClose }: { visit: VisitRecord; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(visits.remove, {
    params: { id: visit.id },
    refetches: [visits.list, visits.totals],
    onDone: onClose,
  })
  const { student } = visit.data
  return (
    <ConfirmDialog
      title={t`Remove a visit`}
      description={student}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Remove the visit`}
    >
      <p>{t`The visit of ${student} leaves the register. The portal's audit log keeps what it said.`}</p>
    </ConfirmDialog>
  )
}
