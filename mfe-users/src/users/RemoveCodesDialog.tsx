import { useLingui } from '@lingui/react/macro'
import { type User, users } from '@portal/contracts/access'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { fullName } from '../words.ts'

/** For whoever lost both the device and the recovery codes. */
export function RemoveCodesDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(users.removeTotp, {
    params: { id: user.id },
    refetches: [users.list],
    onDone: onClose,
  })
  const name = fullName(user)
  return (
    <ConfirmDialog
      title={t`Turn off one-time codes`}
      description={name}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Turn off the codes of ${name}`}
    >
      <p>{t`${name} signs in with the password alone until codes are set up again on the profile page. Make sure that it is really ${name} who asks.`}</p>
    </ConfirmDialog>
  )
}
