import { useLingui } from '@lingui/react/macro'
import { schools } from '@portal/contracts/registers'
import { schoolsSheet } from '@portal/contracts/registers/schools.sheet'
import { Workbench } from '@portal/workbench/Workbench'
import { paths } from '../paths.ts'

const refetches = [schools.list, schools.people]

/** Schools out of an Excel file. */
export default function ImportSchoolsPage() {
  const { t } = useLingui()
  return (
    <Workbench
      kind="schools"
      sheet={schoolsSheet}
      endpoint={schools.import}
      title={t`Import schools`}
      back={{ to: paths.schools, label: t`Schools` }}
      refetches={refetches}
    />
  )
}
