import { useLingui } from '@lingui/react/macro'
import { users } from '@portal/contracts/access'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import { genderChoices, titleChoices, typeChoices } from '../words.ts'

/** A new account. Only the names are marked as required; the server also wants title, gender and type (Access 4.2). */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(users.create, {
    defaults: { first_name: '', last_name: '', email: '' },
    refetches: [users.list],
    onDone: onClose,
  })
  const { control } = form
  return (
    <FormDialog
      title={t`Add user`}
      description={t`A new account has no role yet: it can sign in and see what is open to everyone.`}
      form={form}
      onClose={onClose}
      submitLabel={t`Add user`}
    >
      <div className="fields pair">
        <TextField control={control} name="first_name" label={t`First name`} required autoComplete="off" />
        <TextField control={control} name="last_name" label={t`Last name`} required autoComplete="off" />
      </div>
      <TextField
        control={control}
        name="email"
        type="email"
        label={t`Email`}
        help={t`An invitation to set a password is sent there. Without an e-mail the person is listed and cannot sign in.`}
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
