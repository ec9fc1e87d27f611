import { useLingui } from '@lingui/react/macro'
import { studentFields } from '@portal/contracts/registers/students.fields'
import type { ListFilter } from '@portal/screens/DataTable'
import { useFields } from '../useFields.tsx'
import { idChoices, useClassesOf } from '../useOptions.tsx'
import { placeChain, usePlaceFilters } from '../usePlaceFilters.tsx'

type StudentFilter = (typeof placeChain)[number] | 'class' | 'class_level' | 'language'

/** Where she learns, down to the class, then level and language. */
export function useStudentFilters(filter: (name: StudentFilter) => string): ListFilter<StudentFilter>[] {
  const { t } = useLingui()
  const { label, choicesOf } = useFields(studentFields)
  const places = usePlaceFilters(filter, placeChain)
  const school = filter('school')
  const { classes = [] } = useClassesOf(school)
  const ofSchool: ListFilter<StudentFilter>[] =
    school === ''
      ? []
      : [
          {
            name: 'class',
            label: label('class_id'),
            as: 'select',
            all: t`All classes`,
            options: idChoices(classes),
          },
        ]
  return [
    ...places,
    ...ofSchool,
    {
      name: 'class_level',
      label: label('current_class_level'),
      as: 'select',
      all: t`All class levels`,
      options: choicesOf('current_class_level'),
    },
    {
      name: 'language',
      label: label('language_spoken'),
      as: 'select',
      all: t`All languages`,
      options: choicesOf('language_spoken'),
    },
  ]
}
