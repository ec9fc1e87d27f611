import { useLingui } from '@lingui/react/macro'
import { type User, users } from '@portal/contracts/access'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { fullName } from '../words.ts'

/** For whoever has lost the letter, or let its link grow old. */
export function InviteAgainDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(users.invite, {
    params: { id: user.id },
    refetches: [users.list],
    onDone: onClose,
  })
  const name = fullName(user)
  return (
    <ConfirmDialog
      title={t`Send the invitation again`}
      description={name}
      form={form}
      onClose={onClose}
      confirmLabel={t`Send the invitation again`}
    >
      <p>{t`A new link to set a password is sent to ${user.email ?? ''}. It is valid for seven days, and the earlier link no longer works.`}</p>
    </ConfirmDialog>
  )
}
