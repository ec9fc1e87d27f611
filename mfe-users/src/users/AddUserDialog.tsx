import { useLingui } from '@lingui/react/macro'
import { users } from '@portal/contracts/access'
import { accountFields } from '@portal/contracts/access/users.fields'
import { FormDialog } from '@portal/screens/FormDialog'
import { fieldWords } from '@portal/screens/fieldWords'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import type { ReactNode } from 'react'
import { UserInputs } from './UserInputs.tsx'

/** A new account. Only the names carry the mark; title, gender and type say in words that they are needed (Access 4.2). */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { input, choice } = fieldWords(accountFields)
  const form = useEndpointForm(users.create, {
    defaults: { first_name: '', last_name: '', email: '' },
    refetches: [users.list],
    draft: true,
    onDone: onClose,
  })
  const { control } = form
  const needed = t`Needed`
  // In the order of the form. A field that is not here does not compile.
  const inputs: Record<keyof typeof accountFields, ReactNode> = {
    first_name: <TextField control={control} {...input('first_name')} autoComplete="off" />,
    last_name: <TextField control={control} {...input('last_name')} autoComplete="off" />,
    email: (
      <TextField
        control={control}
        {...input('email')}
        type="email"
        help={t`An invitation to set a password is sent there. Without an e-mail the person is listed and cannot sign in.`}
        autoComplete="off"
        spellCheck={false}
      />
    ),
    user_title: <SelectField control={control} {...choice('user_title')} help={needed} />,
    gender: <SelectField control={control} {...choice('gender')} help={needed} />,
    type: <SelectField control={control} {...choice('type')} help={needed} />,
  }
  return (
    <FormDialog
      title={t`Add user`}
      description={t`A new account has no role yet: it can sign in and see what is open to everyone.`}
      form={form}
      onClose={onClose}
      submitLabel={t`Add user`}
    >
      <UserInputs inputs={inputs} />
    </FormDialog>
  )
}
