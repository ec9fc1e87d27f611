import { useLingui } from '@lingui/react/macro'
import { type User, users } from '@portal/contracts/access'
import { accountFields } from '@portal/contracts/access/users.fields'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { fieldWords } from '@portal/screens/fieldWords'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import type { ReactNode } from 'react'
import { fullName } from '../words.ts'
import { UserInputs } from './UserInputs.tsx'

/** Corrects another person's record. */
export function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui()
  const { input, choice, watched } = fieldWords(accountFields)
  const { client } = useHost()
  const form = useEndpointForm(users.update, {
    params: { id: user.id },
    defaults: user,
    refetches: [users.list],
    draft: true,
    problems: 'user',
    onDone: onClose,
  })
  const { control } = form
  // In the order of the form. A field that is not here does not compile.
  const inputs: Record<keyof typeof accountFields, ReactNode> = {
    first_name: <TextField control={control} {...input('first_name')} autoComplete="off" />,
    last_name: <TextField control={control} {...input('last_name')} autoComplete="off" />,
    email: (
      <TextField
        control={control}
        {...input('email')}
        type="email"
        help={t`With it the person signs in, and there the portal’s messages go.`}
        autoComplete="off"
        spellCheck={false}
      />
    ),
    user_title: <SelectField control={control} {...choice('user_title')} />,
    gender: <SelectField control={control} {...choice('gender')} />,
    type: <SelectField control={control} {...choice('type')} />,
  }
  return (
    <FormDialog
      title={t`Edit user`}
      description={fullName(user)}
      form={withoutConflict(form)}
      onClose={onClose}
    >
      <Conflict
        form={form}
        read={async () => (await client.call(users.read, { params: { id: user.id } })).user}
        fields={watched()}
      />
      <UserInputs inputs={inputs} />
    </FormDialog>
  )
}
