import { useLingui } from '@lingui/react/macro'
import { studentsSheet } from '@portal/contracts/registers/students.sheet'
import { type Student, students } from '@portal/contracts/registers-students'
import { DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useModuleActs } from '@portal/screens/useModuleActs'
import { useModuleColumns } from '@portal/screens/useModuleColumns'
import { useRowDialog } from '@portal/screens/useRowDialog'
import { cascade } from '../cascade.ts'
import { paths } from '../paths.ts'
import { withoutBlanks } from '../without-blanks.ts'
import { useStudentColumns } from './useStudentColumns.tsx'
import { useStudentFilters } from './useStudentFilters.tsx'

const StudentDialog = lazy(() => import('./StudentDialog.tsx'), 'StudentDialog')
const EditStudentDialog = lazy(() => import('./EditStudentDialog.tsx'), 'EditStudentDialog')

/** The students of all schools. */
export default function StudentsPage() {
  const { t } = useLingui()
  const list = cascade(useList(students.list, 'students'), ['region', 'cap', 'school', 'class'])
  const filters = useStudentFilters(list.view.filter)
  const viewing = useRowDialog(list.items)
  const editing = useDialog<Student>()
  const moduleActs = useModuleActs('student')
  const added = useModuleColumns('student', list.items)
  const columns = useStudentColumns(viewing.open)
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
            permission: ['people.export', 'people.erase'],
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
