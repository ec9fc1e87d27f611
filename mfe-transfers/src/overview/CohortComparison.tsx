import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { CohortStats } from '@portal/contracts/transfers/cohorts'
import { reconciliations } from '@portal/contracts/transfers/reconciliations'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { DateText, Money, Nothing } from '@portal/ui/Money'
import { Bar } from '@portal/ui/Progress'
import { type Column, Table } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { pendingOf } from '../CohortFigures.tsx'
import { paths } from '../paths.ts'
import { CohortPill } from '../words.tsx'

/** The last cohorts side by side. The bars are the table's own figures, so there is no second copy to read. */
export function CohortComparison() {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, reconciliations.list, { query: { per_page: 6 } }))
  const cohorts = data?.reconciliations.data
  const longest = Math.max(1, ...(cohorts ?? []).map((cohort) => cohort.total_amount_expected))
  const parts = (stats: CohortStats) => [
    { key: 'disbursed', label: t`Disbursed`, count: stats.total_amount_disbursed, tone: 'good' as const },
    { key: 'arrears', label: t`Arrears`, count: stats.total_amount_arrears, tone: 'bad' as const },
    { key: 'pending', label: t`Pending`, count: pendingOf(stats), tone: 'accent' as const },
  ]
  type Row = NonNullable<typeof cohorts>[number]
  const money = (
    key: string,
    header: string,
    amount: (cohort: Row) => number,
    phone?: 'main',
  ): Column<Row> => ({
    key,
    header,
    align: 'right',
    ...(phone && { phone }),
    // Without a round nothing is expected yet.
    cell: (cohort) => (cohort.rounds > 0 ? <Money amount={amount(cohort)} currency={false} /> : <Nothing />),
  })
  const columns: Column<Row>[] = [
    {
      key: 'name',
      header: t`Title`,
      wrap: true,
      cell: (cohort) => (
        <span>
          <Link to={paths.summary(cohort.id)}>{cohort.name}</Link>
          <span className="sub more nowrap">
            <DateText iso={cohort.from} /> – <DateText iso={cohort.to} />
          </span>
        </span>
      ),
    },
    {
      key: 'status',
      header: t`Status`,
      phone: 'note',
      cell: (cohort) => <CohortPill status={cohort.status} stopped={cohort.stopped} closed={cohort.closed} />,
    },
    {
      key: 'bar',
      header: t`Compared`,
      width: '24%',
      cell: (cohort) =>
        cohort.rounds > 0 ? (
          <Bar
            thin
            parts={parts(cohort)}
            total={longest}
            label={t`Disbursed, arrears and pending of ${cohort.name}`}
          />
        ) : (
          <Nothing />
        ),
    },
    money('expected', t`Expected`, (cohort) => cohort.total_amount_expected),
    money('disbursed', t`Disbursed`, (cohort) => cohort.total_amount_disbursed, 'main'),
    money('arrears', t`Arrears`, (cohort) => cohort.total_amount_arrears),
    money('pending', t`Pending`, pendingOf),
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
        rowName={(cohort) => cohort.name}
        expected={4}
        failure={data ? null : failureOf(error, refetch)}
        empty={t`No data available`}
        columns={columns}
      />
    </Card>
  )
}
