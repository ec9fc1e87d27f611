import { useLingui } from '@lingui/react/macro'
import type { School } from '@portal/contracts/registers'
import type { RowAction } from '@portal/screens/DataTable'
import { useModuleActs } from '@portal/screens/useModuleActs'
import { paths } from '../paths.ts'

/** The menu of a school's row, with what modules have for it at the end. */
export function useSchoolActions(onEdit: (school: School) => void): (school: School) => RowAction[] {
  const { t } = useLingui()
  const moduleActs = useModuleActs('school')
  return (school) => [
    {
      label: t`Edit`,
      icon: 'pencil',
      permission: 'schools.update',
      onSelect: () => onEdit(school),
    },
    {
      label: t`See teachers`,
      icon: 'users',
      permission: 'teachers.view',
      to: paths.schoolPeople(school.id, 'teacher'),
    },
    {
      label: t`See students`,
      icon: 'school',
      permission: 'students.view',
      to: paths.schoolPeople(school.id, 'student'),
    },
    ...(moduleActs?.({ id: school.id, name: school.name, code: school.admin_code }) ?? []),
  ]
}
