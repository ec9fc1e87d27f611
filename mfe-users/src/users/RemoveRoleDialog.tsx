import { useLingui } from '@lingui/react/macro'
import { roles, type User, users } from '@portal/contracts/access'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { fullName, nameOfRole } from '../words.ts'

/** The role whose badge was clicked. */
export type HeldRole = { user: User; role: User['roles'][number] }

/** Takes a role from a person. */
export function RemoveRoleDialog({ user, role, onClose }: HeldRole & { onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(users.assignRole, {
    params: { id: user.id },
    defaults: { id: user.id, role_id: role.id, assign_role: false, version: user.version },
    refetches: [users.list, roles.list],
    problems: 'user',
    onDone: onClose,
  })
  const [name, held] = [fullName(user), nameOfRole(role)]
  return (
    <ConfirmDialog
      title={t`Remove role`}
      description={name}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Remove ${held}`}
    >
      <p>{t`${name} loses at once what only the role ${held} allows. It can be assigned again.`}</p>
    </ConfirmDialog>
  )
}
