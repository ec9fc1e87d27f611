import { useLingui } from '@lingui/react/macro'
import { type User, users } from '@portal/contracts/access'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useSession } from '@portal/sdk'
import { fullName } from '../words.ts'

/** Keeps a person out of the portal, or lets her in again. */
export function ActivationDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui()
  const { user: me } = useSession()
  const form = useEndpointForm(users.deactivate, {
    params: { id: user.id },
    defaults: { id: user.id, deactivate: user.active, version: user.version },
    refetches: [users.list],
    problems: 'user',
    onDone: onClose,
  })
  const name = fullName(user)
  return (
    <ConfirmDialog
      title={user.active ? t`Deactivate user` : t`Activate user`}
      description={user.email ?? undefined}
      form={form}
      onClose={onClose}
      danger={user.active}
      confirmLabel={user.active ? t`Deactivate ${name}` : t`Activate ${name}`}
      barred={user.active && user.id === me.id ? t`You cannot deactivate yourself.` : undefined}
    >
      <p>
        {user.active
          ? t`${name} is signed out everywhere at once and cannot sign in any more. Roles and everything entered stay; you can activate the account again at any time.`
          : t`${name} can sign in again with the password and the roles of before.`}
      </p>
    </ConfirmDialog>
  )
}
