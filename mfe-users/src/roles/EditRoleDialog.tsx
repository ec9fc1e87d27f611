import { Plural, useLingui } from '@lingui/react/macro'
import { type Role, roles, users } from '@portal/contracts/access'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { Notice } from '@portal/ui/Notice'
import { CheckboxField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import { nameOfRole } from '../words.ts'

/** A role as the form has it: with the name that the reader sees, which the server takes for no other. */
const shown = (role: Role) => ({
  name: nameOfRole(role),
  requires_totp: role.requires_totp,
  version: role.version,
})

/** Renames a role, or makes it ask for one-time codes. */
export function EditRoleDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const { t } = useLingui()
  const { client } = useHost()
  const form = useEndpointForm(roles.update, {
    params: { id: role.id },
    defaults: shown(role),
    refetches: [roles.list, users.list],
    onDone: onClose,
  })
  const tightens = form.fields.watch('requires_totp') && !role.requires_totp
  return (
    <FormDialog
      title={t`Edit role`}
      description={nameOfRole(role)}
      form={withoutConflict(form)}
      onClose={onClose}
    >
      <Conflict
        form={form}
        read={async () => shown((await client.call(roles.read, { params: { id: role.id } })).role)}
        fields={{
          name: { label: t`Role name` },
          requires_totp: { label: t`Requires one-time codes`, text: (value) => (value ? t`yes` : t`no`) },
        }}
      />
      <TextField control={form.control} name="name" label={t`Role name`} required maxLength={255} />
      <CheckboxField
        control={form.control}
        name="requires_totp"
        label={t`Requires one-time codes`}
        help={t`Whoever holds it and has no codes sets them up first; until then only their profile is open to them.`}
      />
      {tightens && role.users > 0 && (
        <Notice tone="waiting">
          <Plural
            value={role.users}
            one="# person holds this role. Without one-time codes only their profile is open to them from now on, until they set them up there."
            other="# people hold this role. To those without one-time codes only their profile is open from now on, until they set them up there."
          />
        </Notice>
      )}
    </FormDialog>
  )
}
