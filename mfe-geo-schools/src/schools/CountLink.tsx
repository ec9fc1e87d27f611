import { useLingui } from '@lingui/react/macro'
import type { School } from '@portal/contracts/registers'
import { useCan } from '@portal/sdk'
import { Count } from '@portal/ui/Money'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'

type Props = { school: School; type: 'teacher' | 'student' }

/** How many teach or learn at a school, leading to who they are. */
export function CountLink({ school, type }: Props) {
  const { t } = useLingui()
  const can = useCan()
  const count = type === 'teacher' ? school.teachers : school.students
  if (!can(type === 'teacher' ? 'teachers.view' : 'students.view')) return <Count value={count} />
  const name = school.name
  const what = type === 'teacher' ? t`Teachers of ${name}: ${count}` : t`Students of ${name}: ${count}`
  return (
    <Link to={paths.schoolPeople(school.id, type)} aria-label={what}>
      <Count value={count} />
    </Link>
  )
}
