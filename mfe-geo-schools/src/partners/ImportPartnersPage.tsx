import { useLingui } from '@lingui/react/macro'
import { schools } from '@portal/contracts/registers'
import { partnersSheet } from '@portal/contracts/registers/partners.sheet'
import { partners } from '@portal/contracts/registers-partners'
import { Workbench } from '@portal/workbench/Workbench'
import { paths } from '../paths.ts'

const refetches = [partners.list, schools.list]

/** Partner organisations out of an Excel file. */
export default function ImportPartnersPage() {
  const { t } = useLingui()
  return (
    <Workbench
      kind="partners"
      sheet={partnersSheet}
      endpoint={partners.import}
      title={t`Import partners`}
      back={{ to: paths.partners, label: t`Partners` }}
      refetches={refetches}
    />
  )
}
