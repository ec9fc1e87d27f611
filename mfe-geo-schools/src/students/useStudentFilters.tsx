import { useLingui } from '@lingui/react/macro'
import type { ListFilter } from '@portal/screens/DataTable'
import { choices, idChoices, useClassesOf, useOptions } from '../useOptions.tsx'
import { placeChain, usePlaceFilters } from '../usePlaceFilters.tsx'

type StudentFilter = (typeof placeChain)[number] | 'class' | 'class_level' | 'language'

/** Where she learns, down to the class, then level and language. */
export function useStudentFilters(filter: (name: StudentFilter) => string): ListFilter<StudentFilter>[] {
  const { t } = useLingui()
  const { class_levels, languages } = useOptions()
  const places = usePlaceFilters(filter, placeChain)
  const school = filter('school')
  const classes = useClassesOf(school)
  const ofSchool: ListFilter<StudentFilter>[] =
    school === ''
      ? []
      : [{ name: 'class', label: t`Class`, as: 'select', all: t`All classes`, options: idChoices(classes) }]
  return [
    ...places,
    ...ofSchool,
    {
      name: 'class_level',
      label: t`Class level`,
      as: 'select',
      all: t`All class levels`,
      options: choices(class_levels),
    },
    {
      name: 'language',
      label: t`Language`,
      as: 'select',
      all: t`All languages`,
      options: choices(languages),
    },
  ]
}
