import { useLingui } from '@lingui/react/macro'
import type { Named } from '@portal/contracts/register-fields'
import { type School, schools } from '@portal/contracts/registers'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import { useEffect, useState } from 'react'
import { choices, nameOf, useOptions } from '../useOptions.tsx'
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
  // The form holds an id; the names of all that it may hold are kept beside it.
  const [places, setPlaces] = useState<Named[]>(school.arrondissement ? [school.arrondissement] : [])
  const addPlace = (place: Named | null) => place && setPlaces((known) => [place, ...known])
  const read = async () => {
    const { school: now } = await client.call(schools.read, { params: { id: school.id } })
    addPlace(now.arrondissement)
    return now
  }
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
        read={read}
        fields={{
          name: { label: t`School name` },
          admin_code: { label: t`School ID` },
          type_of_school: {
            label: t`Type of school`,
            text: (code) => nameOf(school_types, String(code), ''),
          },
          admin_district_as_cap: { label: t`CAP` },
          education_authority_as_ae: { label: t`AE` },
          academic_year: { label: t`Academic year` },
          arrondissement_id: {
            label: t`Arrondissement`,
            text: (place) => places.find(({ id }) => id === place)?.name ?? '',
          },
        }}
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
        <PlaceField
          control={control}
          name="arrondissement_id"
          label={t`Arrondissement`}
          known={places}
          onChoose={addPlace}
        />
      </div>
    </FormDialog>
  )
}
