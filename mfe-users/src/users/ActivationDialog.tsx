import { useLingui } from '@lingui/react/macro'
import { type User, users } from '@portal/contracts/access'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredRow } from '@portal/screens/useStoredRow'
import { useHost } from '@portal/sdk'
import { fullName } from '../words.ts'

/** Keeps a person out of the portal, or lets her in again. */
export function ActivationDialog({ user: opened, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui()
  const { client, session } = useHost()
  const form = useEndpointForm(users.deactivate, {
    params: { id: opened.id },
    defaults: { id: opened.id, deactivate: opened.active, version: opened.version },
    refetches: [users.list],
    problems: 'user',
    onDone: onClose,
  })
  const user = useStoredRow(
    form,
    opened,
    async () => (await client.call(users.read, { params: { id: opened.id } })).user,
  )
  // What was asked for stays, whatever has become of the person: a second click never does the opposite.
  const deactivates = opened.active
  const name = fullName(user)
  return (
    <ConfirmDialog
      title={deactivates ? t`Deactivate user` : t`Activate user`}
      description={user.email ?? undefined}
      form={form}
      onClose={onClose}
      danger={deactivates}
      confirmLabel={deactivates ? t`Deactivate ${name}` : t`Activate ${name}`}
      barred={
        user.active !== opened.active
          ? t`Somebody else has done it already.`
          : deactivates && user.id === session.user.id
            ? t`You cannot deactivate yourself.`
            : undefined
      }
    >
      <p>
        {deactivates
          ? t`${name} is signed out everywhere at once and cannot sign in any more. Roles and everything entered stay; you can activate the account again at any time.`
          : t`${name} can sign in again with the password and the roles of before.`}
      </p>
    </ConfirmDialog>
  )
}
