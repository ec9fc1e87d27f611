import { useLingui } from '@lingui/react/macro'
import { schoolFields } from '@portal/contracts/registers/schools.fields'
import type { ListFilter } from '@portal/screens/DataTable'
import { useFields } from '../useFields.tsx'
import { usePlaceFilters } from '../usePlaceFilters.tsx'

/** Region, CAP of it, and type of school. */
export function useSchoolFilters(
  filter: (name: 'region' | 'cap' | 'type') => string,
): ListFilter<'region' | 'cap' | 'type'>[] {
  const { t } = useLingui()
  const { label, choicesOf } = useFields(schoolFields)
  const places = usePlaceFilters(filter, ['region', 'cap'])
  return [
    ...places,
    {
      name: 'type',
      label: label('type_of_school'),
      as: 'select',
      all: t`All types`,
      options: choicesOf('type_of_school'),
    },
  ]
}
