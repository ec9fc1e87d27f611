import { useLingui } from '@lingui/react/macro'
import { type School, schools } from '@portal/contracts/registers'
import type { RegisterOptions } from '@portal/contracts/registers/geography'
import type { Named } from '@portal/contracts/registers/register-fields'
import { schoolFields } from '@portal/contracts/registers/schools.fields'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import { type ReactNode, useEffect, useState } from 'react'
import { Inputs } from '../Inputs.tsx'
import { useFields } from '../useFields.tsx'
import { useOptions } from '../useOptions.tsx'
import { PlaceField } from './PlaceField.tsx'

type Props = { school: School; onClose: () => void }

/** A school's own data; who teaches and learns there is changed where they are. */
export function EditSchoolDialog({ school, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const { input, line, choice, watched } = useFields(schoolFields)
  const { caps, academies } = useOptions()
  const form = useEndpointForm(schools.update, {
    params: { id: school.id },
    defaults: school,
    refetches: [schools.list, schools.people],
    draft: true,
    progress: t`Updating school...`,
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
  // A CAP belongs to one AE: choosing it chooses both.
  useEffect(() => {
    const current = fields.getValues('education_authority_as_ae')
    const academy = academyFor(cap, current, school, { caps, academies })
    if (academy !== current) fields.setValue('education_authority_as_ae', academy)
  }, [cap, school, caps, academies, fields.getValues, fields.setValue])
  const names = (list: readonly { name: string }[], current: string) => {
    const all = list.map(({ name }) => name)
    return [...new Set([current, ...all])].map((name) => ({ value: name, label: name }))
  }
  const active = caps.filter((each) => each.active)
  // In the order of the form. A field that is not here does not compile.
  const inputs: Record<keyof typeof schoolFields, ReactNode> = {
    name: <TextField control={control} {...line('name')} />,
    admin_code: <TextField control={control} {...line('admin_code')} />,
    type_of_school: <SelectField control={control} {...choice('type_of_school')} />,
    admin_district_as_cap: (
      <SelectField
        control={control}
        {...input('admin_district_as_cap')}
        options={names(active, school.admin_district_as_cap)}
      />
    ),
    education_authority_as_ae: (
      <SelectField
        control={control}
        {...input('education_authority_as_ae')}
        options={names(academies, school.education_authority_as_ae)}
      />
    ),
    academic_year: (
      <TextField control={control} {...input('academic_year')} placeholder="2026-2027" maxLength={9} />
    ),
    arrondissement_id: (
      <PlaceField control={control} {...input('arrondissement_id')} known={places} onChoose={addPlace} />
    ),
  }
  const { name, ...rest } = inputs
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
        read={read}
        fields={watched({ arrondissement_id: (place) => places.find(({ id }) => id === place)?.name ?? '' })}
      />
      {name}
      <Inputs of={rest} pair />
    </FormDialog>
  )
}

/**
 * The AE of the chosen CAP. Two AEs may have a CAP of one name: then an AE that has it is kept, also the school's own one, and
 * otherwise the person is asked ('').
 */
function academyFor(
  cap: string,
  current: string,
  school: School,
  { caps, academies }: Pick<RegisterOptions, 'caps' | 'academies'>,
): string {
  const ids = new Set(caps.filter((each) => each.active && each.name === cap).map((each) => each.academy_id))
  const owners = academies.filter(({ id }) => ids.has(id)).map(({ name }) => name)
  const own = school.education_authority_as_ae
  // An inactive CAP may be kept. Before the lists are there, nothing is known.
  if (caps.length > 0 && cap === school.admin_district_as_cap) owners.push(own)
  if (owners.length === 0 || owners.includes(current)) return current
  if (cap === school.admin_district_as_cap) return own
  return (owners.length === 1 && owners[0]) || ''
}
