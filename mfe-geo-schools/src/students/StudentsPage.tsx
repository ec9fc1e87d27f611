import { useLingui } from '@lingui/react/macro'
import { type Student, students } from '@portal/contracts/registers-students'
import { studentFields } from '@portal/contracts/students.fields'
import { studentsSheet } from '@portal/contracts/students.sheet'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useModuleActs } from '@portal/screens/useModuleActs'
import { useModuleColumns } from '@portal/screens/useModuleColumns'
import { DateText } from '@portal/ui/Money'
import { cascade } from '../cascade.ts'
import { paths } from '../paths.ts'
import { useFields } from '../useFields.tsx'
import { withoutBlanks } from '../without-blanks.ts'
import { useWords } from '../words.tsx'
import { useStudentFilters } from './useStudentFilters.tsx'

const StudentDialog = lazy(() => import('./StudentDialog.tsx'), 'StudentDialog')
const EditStudentDialog = lazy(() => import('./EditStudentDialog.tsx'), 'EditStudentDialog')

/** The students of all schools. */
export default function StudentsPage() {
  const { t } = useLingui()
  const words = useWords()
  const { label, text } = useFields(studentFields)
  const list = cascade(useList(students.list, 'students'), ['region', 'cap', 'school', 'class'])
  const filters = useStudentFilters(list.view.filter)
  const viewing = useDialog<Student>()
  const editing = useDialog<Student>()
  const moduleActs = useModuleActs('student')
  const added = useModuleColumns('student', list.items)
  const columns: Column<Student>[] = [
    {
      key: 'last_name',
      header: t`Name`,
      sortable: true,
      wrap: true,
      cell: (each) => <Name student={each} onOpen={() => viewing.open(each)} />,
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
  const { search, filter } = list.view
  const asked = {
    search,
    region: filter('region'),
    cap: filter('cap'),
    school: filter('school'),
    class: filter('class'),
    class_level: filter('class_level'),
    language: filter('language'),
  }
  return (
    <ListPage
      title={t`Students`}
      description={t`The girls of the programme and their school.`}
      actions={
        <>
          <ImportButton sheet={studentsSheet(false)} permission="students.import" to={paths.importStudents} />
          <ExportButton endpoint={students.export} permission="students.export" body={withoutBlanks(asked)}>
            {t`Export`}
          </ExportButton>
        </>
      }
    >
      <DataTable
        label={t`Students`}
        list={list}
        columns={columns}
        added={added}
        empty={t`No data available`}
        search={t`Name or student code`}
        filters={filters}
        chosenActs={[
          {
            key: 'export',
            permission: 'students.export',
            draw: (chosen) => (
              <ExportButton
                endpoint={students.export}
                permission="students.export"
                body={{ ids: chosen.map(({ id }) => id) }}
              >
                {t`Export the selection`}
              </ExportButton>
            ),
          },
        ]}
        rowName={({ user }) => `${user.first_name} ${user.last_name}`}
        rowActions={(student) => [
          { label: t`See details`, icon: 'eye', permission: null, onSelect: () => viewing.open(student) },
          {
            label: t`Edit`,
            icon: 'pencil',
            permission: 'students.update',
            onSelect: () => editing.open(student),
          },
          {
            label: t`Payments`,
            icon: 'transfers',
            permission: 'transfers.view',
            to: paths.girlPayments(student.id),
          },
          {
            label: t`Put payments on hold`,
            icon: 'stop',
            permission: 'holds.manage',
            to: paths.holdPayee(student.id),
          },
          {
            label: t`Personal data`,
            icon: 'file',
            permission: 'people.export',
            to: paths.personData('student', student.id),
          },
          ...(moduleActs?.({ id: student.id, code: student.student_code, school_id: student.school.id }) ??
            []),
        ]}
      />
      {viewing.item && <StudentDialog student={viewing.item} onClose={viewing.close} />}
      {editing.item && <EditStudentDialog student={editing.item} onClose={editing.close} />}
    </ListPage>
  )
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
