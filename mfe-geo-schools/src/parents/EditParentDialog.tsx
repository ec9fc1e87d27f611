import { useLingui } from '@lingui/react/macro'
import { type Parent, parents } from '@portal/contracts/registers-parents'
import { formatPhone } from '@portal/i18n/format'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { NumberField } from '@portal/ui/NumberField'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import { displacedWords, useWords } from '../words.tsx'

type Props = { parent: Parent; onClose: () => void }

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
  const words = useWords()
  const before = flat(parent)
  const form = useEndpointForm(parents.update, {
    params: { id: parent.id },
    defaults: before,
    refetches: [parents.list],
    onDone: onClose,
  })
  const { control } = form
  const phone = (value: unknown) => (value ? formatPhone(String(value)) : '')
  const flag = (value: unknown) => (value === '' ? '' : words.yesNo(value === 'true'))
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
        before={before}
        read={async () => flat((await client.call(parents.read, { params: { id: parent.id } })).parent)}
        fields={{
          parent_assigned_id: { label: t`Parent code` },
          first_name: { label: t`First name` },
          last_name: { label: t`Last name` },
          contact_1: { label: t`Contact 1`, text: phone },
          contact_2: { label: t`Contact 2`, text: phone },
          profession: { label: t`Profession` },
          boys_in_f1: { label: t`Boys in F1` },
          girls_in_f1: { label: t`Girls in F1` },
          displaced_or_resident: {
            label: t`Displaced`,
            text: (code) => (code ? words.of(displacedWords, code as 'displaced' | 'resident') : ''),
          },
          is_handicap: { label: t`Handicap`, text: flag },
        }}
      />
      <div className="fields pair">
        <TextField
          control={control}
          name="parent_assigned_id"
          label={t`Parent code`}
          required
          maxLength={255}
        />
        <TextField control={control} name="profession" label={t`Profession`} maxLength={255} />
        <TextField control={control} name="first_name" label={t`First name`} maxLength={255} />
        <TextField control={control} name="last_name" label={t`Last name`} maxLength={255} />
        <TextField control={control} name="contact_1" label={t`Contact 1`} inputMode="tel" required />
        <TextField control={control} name="contact_2" label={t`Contact 2`} inputMode="tel" />
        <NumberField control={control} name="boys_in_f1" label={t`Boys in F1`} whole />
        <NumberField control={control} name="girls_in_f1" label={t`Girls in F1`} whole />
        <SelectField
          control={control}
          name="displaced_or_resident"
          label={t`Displaced`}
          placeholder={words.nothing}
          options={words.choices(displacedWords)}
        />
        <SelectField
          control={control}
          name="is_handicap"
          label={t`Handicap`}
          placeholder={words.nothing}
          options={[
            { value: 'true', label: t`Yes` },
            { value: 'false', label: t`No` },
          ]}
        />
      </div>
    </FormDialog>
  )
}
