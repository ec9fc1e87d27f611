import { Trans, useLingui } from '@lingui/react/macro'
import { listedCohortStatuses } from '@portal/contracts/transfers/cohorts'
import { confirmedParts, reconciliations } from '@portal/contracts/transfers/reconciliations'
import { DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useList } from '@portal/screens/useList'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { TotalsCards } from './TotalsCards.tsx'
import { useCohortColumns } from './useCohortColumns.tsx'
import { useReconciliationFilters } from './useReconciliationFilters.tsx'
import './words.ts'

const PartialFigures = lazy(() => import('../dialogs/PartialFigures.tsx'), 'PartialFigures')

/** What was expected, paid and owed, by cohort and over all cohorts that the filters leave. */
export default function ReconciliationsPage() {
  const { t } = useLingui()
  const list = useList(reconciliations.list, 'reconciliations')
  const { filters, capName } = useReconciliationFilters()
  // Sums of other filters stand under these only while theirs are read.
  const totals = list.page && list.answer?.totals
  const columns = useCohortColumns()
  const { search, filter } = list.view
  const asked = {
    search,
    status: listedCohortStatuses.find((status) => status === filter('status')),
    transfer_agency_id: filter('transfer_agency_id') || undefined,
    cap: filter('cap') || undefined,
    confirmed: confirmedParts.find((part) => part === filter('confirmed')),
    from: filter('from') || undefined,
    to: filter('to') || undefined,
  }
  return (
    <TransferPage
      title={t`Reconciliations`}
      description={t`What was expected, what was disbursed and what is owed, over the programme and by cohort. Arrears are payments that the agency refused and that nobody has paid since.`}
      back={{ to: paths.overview, label: t`Transfers` }}
      actions={
        <ExportButton endpoint={reconciliations.export} permission="payrolls.export" body={asked}>
          <Trans>Export Reconciliations (Excel)</Trans>
        </ExportButton>
      }
    >
      {totals && <TotalsCards totals={totals} narrowed={list.narrowed} />}
      {!totals && !list.problem && (
        <Card padded>
          <Skeleton width="60%" height={72} />
        </Card>
      )}
      {(asked.cap || asked.from || asked.to) && (
        <PartialFigures cap={asked.cap && capName(asked.cap)} period={Boolean(asked.from || asked.to)} />
      )}
      <DataTable
        label={t`Cohorts`}
        list={list}
        columns={columns}
        rowName={(cohort) => cohort.name}
        search={t`Cohort name or description`}
        filters={filters}
        empty={t`No data available`}
      />
    </TransferPage>
  )
}
