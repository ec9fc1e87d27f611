import { useLingui } from '@lingui/react/macro'
import { parentsSheet } from '@portal/contracts/registers/parents.sheet'
import { parents } from '@portal/contracts/registers-parents'
import { Workbench } from '@portal/workbench/Workbench'
import { paths } from '../paths.ts'

const refetches = [parents.list]

/** Guardians out of an Excel file. */
export default function ImportParentsPage() {
  const { t } = useLingui()
  return (
    <Workbench
      kind="parents"
      sheet={parentsSheet}
      endpoint={parents.import}
      title={t`Import parents`}
      back={{ to: paths.parents, label: t`Parents` }}
      refetches={refetches}
    />
  )
}
