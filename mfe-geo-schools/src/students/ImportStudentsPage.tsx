import { useLingui } from '@lingui/react/macro'
import { schools } from '@portal/contracts/registers'
import { studentsSheet } from '@portal/contracts/registers/students.sheet'
import { students } from '@portal/contracts/registers-students'
import { useCan } from '@portal/sdk'
import { Workbench } from '@portal/workbench/Workbench'
import { paths } from '../paths.ts'

const refetches = [students.list, schools.list, schools.people]
const sheets = { plain: studentsSheet(false), sensitive: studentsSheet(true) }

/** Students out of an Excel file; sensitive columns only for whoever may see them. */
export default function ImportStudentsPage() {
  const { t } = useLingui()
  const can = useCan()
  return (
    <Workbench
      kind="students"
      sheet={can('students.sensitive') ? sheets.sensitive : sheets.plain}
      endpoint={students.import}
      title={t`Import students`}
      back={{ to: paths.students, label: t`Students` }}
      refetches={refetches}
    />
  )
}
