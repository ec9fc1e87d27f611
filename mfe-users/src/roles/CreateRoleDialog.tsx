import { useLingui } from '@lingui/react/macro'
import { roles } from '@portal/contracts/access'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { CheckboxField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'

/** A role by its name; what it allows is assigned afterwards. */
export function CreateRoleDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(roles.create, {
    defaults: { name: '', requires_totp: false },
    refetches: [roles.list],
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t`Create role`}
      description={t`A new role allows nothing until permissions are assigned to it.`}
      form={form}
      onClose={onClose}
      submitLabel={t`Create role`}
    >
      <TextField control={form.control} name="name" label={t`Role name`} required maxLength={255} />
      <CheckboxField
        control={form.control}
        name="requires_totp"
        label={t`Requires one-time codes`}
        help={t`Whoever holds it and has no codes sets them up first; until then only their profile is open to them.`}
      />
    </FormDialog>
  )
}
