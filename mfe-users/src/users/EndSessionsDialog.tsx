import { useLingui } from '@lingui/react/macro'
import { type User, users } from '@portal/contracts/access'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { fullName } from '../words.ts'

/** For a lost device, or an account that somebody else has used. */
export function EndSessionsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(users.endSessions, {
    params: { id: user.id },
    refetches: [],
    onDone: onClose,
  })
  const name = fullName(user)
  return (
    <ConfirmDialog
      title={t`Sign out everywhere`}
      description={name}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Sign ${name} out`}
    >
      <p>{t`${name} is signed out on every device at once, and loses what was being typed there. The account stays active: whoever knows the password signs in again.`}</p>
    </ConfirmDialog>
  )
}
