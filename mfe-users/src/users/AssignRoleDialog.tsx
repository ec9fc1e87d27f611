import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type Role, roles, type User, users } from '@portal/contracts/access'
import { FormDialog } from '@portal/screens/FormDialog'
import { problemText } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredRow } from '@portal/screens/useStoredRow'
import { useHost, useQuery } from '@portal/sdk'
import { Notice } from '@portal/ui/Notice'
import { SelectField } from '@portal/ui/SelectField'
import { fullName, nameOfRole } from '../words.ts'
import { everyRole } from './every-role.ts'

/** Gives a person one more role: one that allows no more than the giver may do (Access 3.3). */
export function AssignRoleDialog({ user: opened, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui()
  const { client, session } = useHost()
  const { data, error, isPending } = useQuery(queryOf(client, roles.list, everyRole))
  const form = useEndpointForm(users.assignRole, {
    params: { id: opened.id },
    defaults: { id: opened.id, assign_role: true, version: opened.version },
    refetches: [users.list, roles.list],
    problems: 'user',
    onDone: onClose,
  })
  const user = useStoredRow(
    form,
    opened,
    async () => (await client.call(users.read, { params: { id: opened.id } })).user,
  )
  const isMine = (role: Role) => role.permissions.every(({ name }) => session.permissions.includes(name))
  const open = data?.roles.data.filter((role) => !user.roles.some(({ id }) => id === role.id)) ?? []
  const beyond = open.filter((role) => !isMine(role))
  const name = fullName(user)
  return (
    <FormDialog
      title={t`Assign role`}
      description={name}
      form={form}
      onClose={onClose}
      submitLabel={t`Assign role`}
    >
      {error && (
        <Notice tone="bad" alert>
          {problemText(error)}
        </Notice>
      )}
      {data && open.length === 0 && <Notice>{t`${name} holds every role there is.`}</Notice>}
      <SelectField
        control={form.control}
        name="role_id"
        label={t`Role`}
        required
        disabled={isPending}
        help={
          beyond.length > 0
            ? t`Roles that allow more than you may do yourself can only be given by somebody who holds them.`
            : undefined
        }
        options={open.map((role) => ({ value: role.id, label: nameOfRole(role), disabled: !isMine(role) }))}
      />
    </FormDialog>
  )
}
