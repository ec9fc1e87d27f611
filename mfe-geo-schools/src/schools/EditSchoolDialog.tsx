import { useLingui } from '@lingui/react/macro'
import { type School, schools } from '@portal/contracts/registers'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import { useEffect } from 'react'
import { Conflict } from '../Conflict.tsx'
import { choices, nameOf, useOptions } from '../useOptions.tsx'
import { withoutConflict } from '../without-conflict.ts'
import { PlaceField } from './PlaceField.tsx'

type Props = { school: School; onClose: () => void }

/** A school's own data; who teaches and learns there is changed where they are. */
export function EditSchoolDialog({ school, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const { school_types, caps, academies } = useOptions()
  const form = useEndpointForm(schools.update, {
    params: { id: school.id },
    defaults: school,
    refetches: [schools.list, schools.people],
    onDone: onClose,
  })
  const { control, fields } = form
  const cap = fields.watch('admin_district_as_cap')
  const owner = academies.find(({ id }) => id === caps.find(({ name }) => name === cap)?.academy_id)?.name
  // A CAP belongs to one AE: choosing it chooses both.
  useEffect(() => {
    if (owner && cap !== school.admin_district_as_cap) fields.setValue('education_authority_as_ae', owner)
  }, [owner, cap, school.admin_district_as_cap, fields.setValue])
  const names = (list: readonly { name: string }[], current: string) => {
    const all = list.map(({ name }) => name)
    return [...new Set([current, ...all])].map((name) => ({ value: name, label: name }))
  }
  const active = caps.filter((each) => each.active)
  return (
    <FormDialog
      title={t`Edit school`}
      description={school.name}
      form={withoutConflict(form)}
      onClose={onClose}
      wide
    >
      <Conflict
        form={form}
        before={school}
        read={async () => (await client.call(schools.read, { params: { id: school.id } })).school}
        fields={[
          { name: 'name', label: t`School name` },
          { name: 'admin_code', label: t`School ID` },
          {
            name: 'type_of_school',
            label: t`Type of school`,
            text: (code) => nameOf(school_types, String(code), ''),
          },
          { name: 'admin_district_as_cap', label: t`CAP` },
          { name: 'education_authority_as_ae', label: t`AE` },
          { name: 'academic_year', label: t`Academic year` },
        ]}
      />
      <TextField control={control} name="name" label={t`School name`} required maxLength={255} />
      <div className="fields pair">
        <TextField control={control} name="admin_code" label={t`School ID`} required maxLength={255} />
        <SelectField
          control={control}
          name="type_of_school"
          label={t`Type of school`}
          required
          options={choices(school_types)}
        />
        <SelectField
          control={control}
          name="admin_district_as_cap"
          label={t`CAP`}
          required
          options={names(active, school.admin_district_as_cap)}
        />
        <SelectField
          control={control}
          name="education_authority_as_ae"
          label={t`AE`}
          required
          options={names(academies, school.education_authority_as_ae)}
        />
        <TextField
          control={control}
          name="academic_year"
          label={t`Academic year`}
          placeholder="2026-2027"
          required
          maxLength={9}
        />
        <PlaceField control={control} name="arrondissement_id" current={school.arrondissement} />
      </div>
    </FormDialog>
  )
}
