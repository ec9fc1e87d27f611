import { useLingui } from '@lingui/react/macro'
import { studentFields } from '@portal/contracts/registers/students.fields'
import type { Student } from '@portal/contracts/registers-students'
import type { Column } from '@portal/screens/DataTable'
import { DateText } from '@portal/ui/Money'
import { useFields } from '../useFields.tsx'
import { useWords } from '../words.tsx'

/** Name and code, school, level and what a register says of a girl. Her name opens her details. */
export function useStudentColumns(onOpen: (student: Student) => void): Column<Student>[] {
  const { t } = useLingui()
  const words = useWords()
  const { label, text } = useFields(studentFields)
  return [
    {
      key: 'last_name',
      header: t`Name`,
      sortable: true,
      wrap: true,
      cell: (each) => <Name student={each} onOpen={() => onOpen(each)} />,
    },
    {
      key: 'school',
      header: t`School ID`,
      wrap: true,
      phone: 'note',
      cell: ({ school }) => (
        <span>
          {school.admin_code}
          <span className="sub more">{school.name}</span>
        </span>
      ),
    },
    { key: 'start_date', header: label('start_date'), cell: (each) => <DateText iso={each.start_date} /> },
    {
      key: 'level',
      header: label('current_class_level'),
      wrap: true,
      phone: 'main',
      cell: (each) => text('current_class_level', each.current_class_level) || words.nothing,
    },
    {
      key: 'date_of_birth',
      header: label('date_of_birth'),
      cell: (each) => <DateText iso={each.date_of_birth} />,
    },
    {
      key: 'language',
      header: label('language_spoken'),
      cell: (each) => text('language_spoken', each.language_spoken) || words.nothing,
    },
  ]
}

function Name({ student, onOpen }: { student: Student; onOpen: () => void }) {
  return (
    <span>
      <button type="button" className="link-button" onClick={onOpen}>
        {student.user.first_name} {student.user.last_name}
      </button>
      <span className="sub">{student.student_code}</span>
    </span>
  )
}
