import { useLingui } from '@lingui/react/macro'
import { unusualAge } from '@portal/contracts/registers/school-age'
import type { students } from '@portal/contracts/registers-students'
import { today } from '@portal/i18n/format'
import type { EndpointForm } from '@portal/screens/useEndpointForm'
import { CheckboxField } from '@portal/ui/SelectField'
import { useEffect } from 'react'

type Props = {
  form: EndpointForm<typeof students.update>
  before: { date_of_birth: string | null; current_class_level: string | null }
}

/** Asks whether an age that does not fit the class level is right, where one of the two was changed (Registers 3.4). */
export function AgeCheck({ form, before }: Props) {
  const { t } = useLingui()
  const { control, watch, setValue, formState } = form.fields
  const [born, level] = watch(['date_of_birth', 'current_class_level'])
  // What was confirmed holds for that date and that level only.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of either takes the confirmation back
  useEffect(() => setValue('age_confirmed', false), [born, level, setValue])
  const changed = born !== before.date_of_birth || level !== before.current_class_level
  const odd = changed && unusualAge(born ?? '', level ?? '', today())
  if (!odd && !formState.errors.age_confirmed) return null
  const { age, usual } = odd || {}
  return (
    <CheckboxField
      control={control}
      name="age_confirmed"
      label={t`Date of birth and class level are right`}
      help={odd ? t`The age would be ${age}; at this class level about ${usual} is usual.` : undefined}
    />
  )
}
