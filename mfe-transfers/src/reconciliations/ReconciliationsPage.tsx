import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import { DataTable } from '@portal/screens/DataTable'
import { problemText } from '@portal/screens/problemText'
import { useList } from '@portal/screens/useList'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { Failed } from '@portal/ui/Table'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { cohortChips } from '../words.tsx'
import { TotalsCards } from './TotalsCards.tsx'
import { useCohortColumns } from './useCohortColumns.tsx'

/** What was expected, paid and owed, over the programme and by cohort. */
export default function ReconciliationsPage() {
  const { t } = useLingui()
  const { client } = useHost()
  const totals = useQuery(queryOf(client, transfers.settings))
  const list = useList(transfers.cohorts, 'cohorts')
  const columns = useCohortColumns(list.items, totals.data?.totalAmountDisbursed ?? 0)
  return (
    <TransferPage
      title={t`Reconciliations`}
      description={t`What was expected, what was disbursed and what is owed, over the programme and by cohort. Arrears are payments that the agency refused and that nobody has paid since.`}
      back={{ to: paths.overview, label: t`Transfers` }}
    >
      {totals.data ? (
        <TotalsCards totals={totals.data} />
      ) : (
        <Card padded>
          {totals.error ? (
            <Failed title={problemText(totals.error)} onRetry={() => void totals.refetch()} />
          ) : (
            <Skeleton width="60%" height={72} />
          )}
        </Card>
      )}
      <DataTable
        label={t`Cohorts`}
        list={list}
        columns={columns}
        remember="reconciliations"
        search={t`Cohort name or description`}
        filters={[{ name: 'status', label: t`Status`, options: cohortChips() }]}
        empty={t`No data available`}
      />
    </TransferPage>
  )
}
