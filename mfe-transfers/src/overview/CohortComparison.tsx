import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { CohortStats } from '@portal/contracts/cohorts'
import { transfers } from '@portal/contracts/transfers'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { Money } from '@portal/ui/Money'
import { Bar } from '@portal/ui/Progress'
import { Table } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { pendingOf } from '../CohortFigures.tsx'
import { paths } from '../paths.ts'
import { CohortPill } from '../words.tsx'

/** The last cohorts side by side. The bars are the table's own figures, so there is no second copy to read. */
export function CohortComparison() {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, transfers.cohorts, { query: { per_page: 6 } }))
  const cohorts = data?.cohorts.data
  const longest = Math.max(
    1,
    ...(cohorts ?? []).map((cohort) => cohort.transfer_cohort_stats.total_amount_expected),
  )
  const parts = (stats: CohortStats) => [
    { key: 'disbursed', label: t`Disbursed`, count: stats.total_amount_disbursed, tone: 'good' as const },
    { key: 'arrears', label: t`Arrears`, count: stats.total_amount_arrears, tone: 'bad' as const },
    { key: 'pending', label: t`Pending`, count: pendingOf(stats), tone: 'accent' as const },
  ]
  return (
    <Card
      title={t`Last cohorts`}
      note={t`Amounts in XOF`}
      foot={<Link to={paths.cohorts}>{t`See all cohorts`}</Link>}
    >
      <Table
        label={t`Last cohorts`}
        rows={cohorts}
        rowKey={(cohort) => cohort.id}
        expected={4}
        failure={data ? null : failureOf(error, refetch)}
        empty={t`No data available`}
        columns={[
          {
            key: 'name',
            header: t`Title`,
            wrap: true,
            cell: (cohort) => <Link to={paths.summary(cohort.id)}>{cohort.name}</Link>,
          },
          {
            key: 'status',
            header: t`Status`,
            phone: 'status',
            cell: (cohort) => <CohortPill status={cohort.status} stopped={cohort.stopped} />,
          },
          {
            key: 'bar',
            header: t`Compared`,
            phone: 'hide',
            width: '30%',
            cell: ({ name, transfer_cohort_stats: stats }) => (
              <Bar thin parts={parts(stats)} total={longest} label={t`Disbursed and arrears of ${name}`} />
            ),
          },
          {
            key: 'expected',
            header: t`Expected`,
            align: 'right',
            cell: ({ transfer_cohort_stats: stats }) => (
              <Money amount={stats.total_amount_expected} currency={false} />
            ),
          },
          {
            key: 'disbursed',
            header: t`Disbursed`,
            align: 'right',
            cell: ({ transfer_cohort_stats: stats }) => (
              <Money amount={stats.total_amount_disbursed} currency={false} />
            ),
          },
          {
            key: 'arrears',
            header: t`Arrears`,
            align: 'right',
            cell: ({ transfer_cohort_stats: stats }) => (
              <Money amount={stats.total_amount_arrears} currency={false} />
            ),
          },
        ]}
      />
    </Card>
  )
}
