import { Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { pageLink } from '@portal/screens/ListPage'
import { ButtonLink } from '@portal/ui/Button'
import { Workbench } from '@portal/workbench/Workbench'
import { Navigate } from 'react-router-dom'
import { paths } from '../paths.ts'
import { touchedByImport } from '../touched-by-import.ts'
import './words.ts'

// A bank's list has every column there is; of another list those of a bank are empty.
const sheet = targetListSheet('bank')

/** The rows of a target list before they become a cohort. It is begun where the cohort's period and agency are asked. */
export default function ImportCohortPage() {
  const { t } = useLingui()
  return (
    <Workbench
      kind="target-list"
      sheet={sheet}
      endpoint={transfers.importCohort}
      title={t`Import of a target list`}
      back={{ to: paths.cohorts, label: t`Cohorts` }}
      refetches={touchedByImport}
      begin={<Navigate to={paths.cohorts} replace />}
      next={({ cohort_id }) =>
        cohort_id && (
          <ButtonLink href={paths.summary(cohort_id)} variant="primary" renderLink={pageLink}>
            <Trans>Go to Cohort Approval</Trans>
          </ButtonLink>
        )
      }
    />
  )
}
