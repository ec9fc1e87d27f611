import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type User, users } from '@portal/contracts/access'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useSession } from '@portal/sdk'
import { fullName } from '../words.ts'

type Props = { chosen: User[]; onDone: () => void; onClose: () => void }

/** Keeps all the chosen people out of the portal, or none of them. */
export function DeactivateUsersDialog({ chosen, onDone, onClose }: Props) {
  const { t } = useLingui()
  const { user: me } = useSession()
  const active = chosen.filter((user) => user.active)
  const count = active.length
  const form = useEndpointForm(users.deactivateMany, {
    defaults: { user_ids: active.map(({ id }) => id) },
    refetches: [users.list],
    onDone: () => {
      onDone()
      onClose()
    },
  })
  const barred = active.some(({ id }) => id === me.id)
    ? t`You cannot deactivate yourself.`
    : count === 0
      ? t`All of them are deactivated already.`
      : undefined
  return (
    <ConfirmDialog
      title={t`Deactivate users`}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={plural(count, { one: 'Deactivate # user', other: 'Deactivate # users' })}
      barred={barred}
    >
      <p>
        <Trans>
          They are signed out everywhere at once and cannot sign in any more. Roles and everything entered
          stay; you can activate each account again at any time.
        </Trans>
      </p>
      <ul className="lines">
        {active.map((user) => (
          <li key={user.id}>{fullName(user)}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
