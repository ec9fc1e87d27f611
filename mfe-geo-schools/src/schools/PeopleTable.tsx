import { useLingui } from '@lingui/react/macro'
import { studentFields } from '@portal/contracts/registers/students.fields'
import { teacherFields } from '@portal/contracts/registers/teachers.fields'
import type { Student } from '@portal/contracts/registers-students'
import type { Teacher } from '@portal/contracts/registers-teachers'
import { type Column, DataTable } from '@portal/screens/DataTable'
import type { List } from '@portal/screens/useList'
import { Count, DateText } from '@portal/ui/Money'
import { useFields } from '../useFields.tsx'
import { LastName, useWords } from '../words.tsx'

type Person = Teacher | Student
type Props = { list: List<Person, unknown, 'type'>; type: 'teacher' | 'student' }

const isStudent = (person: Person): person is Student => 'student_code' in person

/** The teachers or students of one school. The type is the page's own and no filter of the list. */
export function PeopleTable({ list, type }: Props) {
  const { t } = useLingui()
  const words = useWords()
  const { label, text } = useFields(studentFields)
  const ofTeacher = useFields(teacherFields)
  const own = {
    ...list,
    narrowed: list.view.search !== '',
    clear: () => list.show({ search: '' }),
  }
  const names: Column<Person>[] = [
    { key: 'last_name', header: label('last_name'), sortable: true, cell: LastName },
    {
      key: 'first_name',
      header: label('first_name'),
      sortable: true,
      phone: 'hide',
      cell: ({ user }) => user.first_name,
    },
  ]
  const teacher: Column<Person>[] = [
    {
      key: 'classes',
      header: t`Classes`,
      align: 'right',
      cell: (each) => <Count value={isStudent(each) ? 0 : each.classes.length} />,
    },
    {
      key: 'start_date',
      header: ofTeacher.label('start_date'),
      gap: true,
      phone: 'note',
      cell: (each) => <DateText iso={each.start_date} />,
    },
    {
      key: 'employment_type',
      header: ofTeacher.label('employment_type'),
      phone: 'note',
      cell: (each) =>
        isStudent(each) ? '' : ofTeacher.text('employment_type', each.employment_type) || words.nothing,
    },
  ]
  const student: Column<Person>[] = [
    {
      key: 'student_code',
      header: label('student_code'),
      phone: 'note',
      cell: (each) => (isStudent(each) ? each.student_code : ''),
    },
    {
      key: 'level',
      header: label('current_class_level'),
      phone: 'note',
      cell: (each) =>
        isStudent(each) ? text('current_class_level', each.current_class_level) || words.nothing : '',
    },
    {
      key: 'class',
      header: label('class_id'),
      cell: (each) => (isStudent(each) ? (each.class?.name ?? words.nothing) : ''),
    },
    { key: 'start_date', header: label('start_date'), cell: (each) => <DateText iso={each.start_date} /> },
  ]
  return (
    <DataTable
      label={type === 'teacher' ? t`Teachers` : t`Students`}
      list={own}
      columns={[...names, ...(type === 'teacher' ? teacher : student)]}
      empty={type === 'teacher' ? t`No enrolled teacher yet!` : t`No enrolled student yet!`}
      search={t`Name`}
    />
  )
}
