import { useLingui } from '@lingui/react/macro'
import { schools } from '@portal/contracts/registers'
import { teachersSheet } from '@portal/contracts/registers/teachers.sheet'
import { teachers } from '@portal/contracts/registers-teachers'
import { Workbench } from '@portal/workbench/Workbench'
import { paths } from '../paths.ts'

const refetches = [teachers.list, schools.list, schools.people]

/** Teachers out of an Excel file. */
export default function ImportTeachersPage() {
  const { t } = useLingui()
  return (
    <Workbench
      kind="teachers"
      sheet={teachersSheet}
      endpoint={teachers.import}
      title={t`Import teachers`}
      back={{ to: paths.teachers, label: t`Teachers` }}
      refetches={refetches}
    />
  )
}
