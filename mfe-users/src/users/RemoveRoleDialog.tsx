import { useLingui } from '@lingui/react/macro'
import { roles, type User, users } from '@portal/contracts/access'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredRow } from '@portal/screens/useStoredRow'
import { useHost } from '@portal/sdk'
import { fullName, nameOfRole } from '../words.ts'

/** The role whose badge was clicked. */
export type HeldRole = { user: User; role: User['roles'][number] }

/** Takes a role from a person. */
export function RemoveRoleDialog({ user: opened, role, onClose }: HeldRole & { onClose: () => void }) {
  const { t } = useLingui()
  const { client } = useHost()
  const form = useEndpointForm(users.assignRole, {
    params: { id: opened.id },
    defaults: { id: opened.id, role_id: role.id, assign_role: false, version: opened.version },
    refetches: [users.list, roles.list],
    problems: 'user',
    onDone: onClose,
  })
  const user = useStoredRow(
    form,
    opened,
    async () => (await client.call(users.read, { params: { id: opened.id } })).user,
  )
  const [name, held] = [fullName(user), nameOfRole(role)]
  return (
    <ConfirmDialog
      title={t`Remove role`}
      description={name}
      form={form}
      onClose={onClose}
      danger
      barred={user.roles.some(({ id }) => id === role.id) ? undefined : t`Somebody else has done it already.`}
      confirmLabel={t`Remove ${held}`}
    >
      <p>{t`${name} loses at once what only the role ${held} allows. It can be assigned again.`}</p>
    </ConfirmDialog>
  )
}
