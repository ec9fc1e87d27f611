import { useLingui } from '@lingui/react/macro'
import { parentFields } from '@portal/contracts/registers/parents.fields'
import { type Parent, parents } from '@portal/contracts/registers-parents'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { NumberField } from '@portal/ui/NumberField'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import type { ReactNode } from 'react'
import { Inputs } from '../Inputs.tsx'
import { useFields } from '../useFields.tsx'
import { useWords } from '../words.tsx'

type Props = { parent: Parent; onClose: () => void }
type Name = keyof typeof parentFields

/** A guardian as the form has her: yes and no are words there. */
const flat = ({ user, is_handicap, ...parent }: Parent) => ({
  ...parent,
  is_handicap: is_handicap === null ? '' : String(is_handicap),
  first_name: user.first_name,
  last_name: user.last_name,
})

/** A guardian's own data; which students belong to her is a matter of the import. */
export function EditParentDialog({ parent, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const { nothing } = useWords()
  const { input, line, choice, watched } = useFields(parentFields)
  const before = flat(parent)
  const form = useEndpointForm(parents.update, {
    params: { id: parent.id },
    defaults: before,
    refetches: [parents.list],
    draft: true,
    onDone: onClose,
  })
  const { control } = form
  // In the order of the form. A field that is not here does not compile.
  const inputs: Record<Name, ReactNode> = {
    parent_assigned_id: <TextField control={control} {...line('parent_assigned_id')} />,
    profession: <TextField control={control} {...line('profession')} />,
    first_name: <TextField control={control} {...line('first_name')} />,
    last_name: <TextField control={control} {...line('last_name')} />,
    contact_1: <TextField control={control} {...input('contact_1')} inputMode="tel" />,
    contact_2: <TextField control={control} {...input('contact_2')} inputMode="tel" />,
    boys_in_f1: <NumberField control={control} {...input('boys_in_f1')} whole />,
    girls_in_f1: <NumberField control={control} {...input('girls_in_f1')} whole />,
    displaced_or_resident: (
      <SelectField control={control} {...choice('displaced_or_resident')} placeholder={nothing} />
    ),
    is_handicap: <SelectField control={control} {...choice('is_handicap')} placeholder={nothing} />,
  }
  return (
    <FormDialog
      title={t`Edit parent`}
      description={`${parent.user.first_name} ${parent.user.last_name}`}
      form={withoutConflict(form)}
      onClose={onClose}
      wide
    >
      <Conflict
        form={form}
        read={async () => flat((await client.call(parents.read, { params: { id: parent.id } })).parent)}
        fields={watched({})}
      />
      <Inputs of={inputs} pair />
    </FormDialog>
  )
}
