import { useLingui } from '@lingui/react/macro'
import { cases, type Referral } from '@portal/contracts/cases'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { expertName } from '../words.tsx'

/** Takes a request back: its link stops working at once. */
export function WithdrawDialog({ referral, onClose }: { referral: Referral; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(cases.revoke, {
    params: { id: referral.id },
    refetches: [cases.details, cases.list],
    onDone: onClose,
    problems: 'request',
  })
  const name = expertName(referral)
  return (
    <ConfirmDialog
      title={t`Withdraw the request`}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Withdraw the request`}
    >
      <p>{t`${name} can no longer open the request or answer it. You can then ask somebody else.`}</p>
    </ConfirmDialog>
  )
}
