import { useLingui } from '@lingui/react/macro'
import type { ListFilter } from '@portal/screens/DataTable'
import { choices, useOptions } from '../useOptions.tsx'
import { usePlaceFilters } from '../usePlaceFilters.tsx'

/** Region, CAP of it, and type of school. */
export function useSchoolFilters(
  filter: (name: 'region' | 'cap' | 'type') => string,
): ListFilter<'region' | 'cap' | 'type'>[] {
  const { t } = useLingui()
  const { school_types } = useOptions()
  const places = usePlaceFilters(filter, ['region', 'cap'])
  return [
    ...places,
    {
      name: 'type',
      label: t`Type of school`,
      as: 'select',
      all: t`All types`,
      options: choices(school_types),
    },
  ]
}
