import { useLingui } from '@lingui/react/macro'
import { type User, users } from '@portal/contracts/access'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import { fullName, genderChoices, titleChoices, typeChoices } from '../words.ts'

/** Corrects another person's record. */
export function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui()
  const { client } = useHost()
  const form = useEndpointForm(users.update, {
    params: { id: user.id },
    defaults: user,
    refetches: [users.list],
    onDone: onClose,
  })
  const { control } = form
  const wordOf = (choices: { value: string; label: string }[]) => (value: unknown) =>
    choices.find((choice) => choice.value === value)?.label ?? ''
  return (
    <FormDialog
      title={t`Edit user`}
      description={fullName(user)}
      form={withoutConflict(form)}
      onClose={onClose}
    >
      <Conflict
        form={form}
        before={user}
        read={async () => (await client.call(users.read, { params: { id: user.id } })).user}
        fields={{
          first_name: { label: t`First name` },
          last_name: { label: t`Last name` },
          email: { label: t`Email` },
          user_title: {
            label: t({ message: 'Title', context: 'of a person' }),
            text: wordOf(titleChoices()),
          },
          gender: { label: t`Gender`, text: wordOf(genderChoices()) },
          type: { label: t`User type`, text: wordOf(typeChoices()) },
        }}
      />
      <div className="fields pair">
        <TextField control={control} name="first_name" label={t`First name`} required autoComplete="off" />
        <TextField control={control} name="last_name" label={t`Last name`} required autoComplete="off" />
      </div>
      <TextField
        control={control}
        name="email"
        type="email"
        label={t`Email`}
        help={t`With it the person signs in, and there the portal’s messages go.`}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="fields pair">
        <SelectField
          control={control}
          name="user_title"
          label={t({ message: 'Title', context: 'of a person' })}
          options={titleChoices()}
        />
        <SelectField control={control} name="gender" label={t`Gender`} options={genderChoices()} />
      </div>
      <SelectField control={control} name="type" label={t`User type`} options={typeChoices()} />
    </FormDialog>
  )
}
