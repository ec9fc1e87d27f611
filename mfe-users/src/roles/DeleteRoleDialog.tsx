import { Plural, useLingui } from '@lingui/react/macro'
import { type Role, roles, users } from '@portal/contracts/access'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredRow } from '@portal/screens/useStoredRow'
import { useHost } from '@portal/sdk'
import { nameOfRole } from '../words.ts'

/** Deletes a role; its holders and permissions stay, without it. */
export function DeleteRoleDialog({ role: opened, onClose }: { role: Role; onClose: () => void }) {
  const { t } = useLingui()
  const { client } = useHost()
  const form = useEndpointForm(roles.remove, {
    params: { id: opened.id },
    defaults: { name: opened.name, delete: true, version: opened.version },
    refetches: [roles.list, users.list],
    onDone: onClose,
  })
  const role = useStoredRow(
    form,
    opened,
    async () => (await client.call(roles.read, { params: { id: opened.id } })).role,
  )
  const name = nameOfRole(role)
  return (
    <ConfirmDialog
      title={t`Delete role`}
      description={name}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Delete ${name}`}
    >
      <p className="strong">{t`Are you sure you want to delete this role?`}</p>
      <p>{t`This action will detach all associated users and permissions from this role.`}</p>
      <p className="muted">
        <Plural value={role.users} _0="Nobody holds it." one="# user holds it." other="# users hold it." />{' '}
        <Plural
          value={role.permissions.length}
          _0="It has no permissions."
          one="It has # permission."
          other="It has # permissions."
        />{' '}
        {t`This cannot be undone.`}
      </p>
    </ConfirmDialog>
  )
}
