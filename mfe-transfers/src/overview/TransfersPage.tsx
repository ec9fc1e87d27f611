import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { dashboard } from '@portal/contracts/home/dashboard'
import { transfers } from '@portal/contracts/transfers'
import type { CohortStats } from '@portal/contracts/transfers/cohorts'
import { pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { StatCard, Stats } from '@portal/ui/Figures'
import { ProgressEnded } from '@portal/ui/Progress'
import { Failed } from '@portal/ui/Table'
import { pendingOf } from '../CohortFigures.tsx'
import { ProgrammeFigures } from '../ProgrammeFigures.tsx'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { CohortComparison } from './CohortComparison.tsx'
import { NeedsAction } from './NeedsAction.tsx'
import './words.ts'

// It stands below what needs action, so it may come later.
const MoneyCards = lazy(() => import('./MoneyCards.tsx'), 'MoneyCards')

/** The transfers dashboard: the programme's money, what needs action, the last cohorts, and the way to every transfers screen. */
export default function TransfersPage() {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, transfers.settings))
  const failure = failureOf(error, refetch)
  const stats = data && statsOf(data)
  const figures = useQuery(queryOf(client, dashboard.read))
  const links = [
    { href: paths.cohorts, icon: 'users', label: t`Cohorts`, note: t`Target lists and their approval` },
    {
      href: paths.reconciliations,
      icon: 'transfers',
      label: t`Reconciliations`,
      note: t`What was disbursed, cohort by cohort`,
    },
    {
      href: paths.parameters,
      icon: 'sheet',
      label: t`Transfer parameters`,
      note: t`Amounts, fees and frequency`,
    },
    {
      href: paths.settings,
      icon: 'plug',
      label: t`Transfer settings`,
      note: t`Agencies, and the four steps to a disbursement`,
    },
  ] as const
  return (
    <TransferPage
      title={t`Transfers`}
      description={t`Money that goes to the families, from the target list to the reconciliation.`}
    >
      {failure && !data && (
        <Card>
          <Failed {...failure} />
        </Card>
      )}
      {!data && !failure && (
        <Card padded>
          <Skeleton width="60%" height={32} />
        </Card>
      )}
      {stats && (
        <>
          <ProgrammeFigures stats={stats} of={t`Of all rounds made so far`} />
          <ProgressEnded
            title={t`Settled so far`}
            total={stats.total_amount_expected}
            parts={[
              {
                key: 'disbursed',
                label: t`Disbursed`,
                count: stats.total_amount_disbursed,
                tone: 'good',
              },
              { key: 'arrears', label: t`Arrears`, count: stats.total_amount_arrears, tone: 'bad' },
              {
                key: 'written_off',
                label: t`Written off`,
                count: stats.total_amount_written_off,
                tone: 'accent',
              },
              { key: 'pending', label: t`Pending`, count: pendingOf(stats), tone: 'rest' },
            ]}
            text={t`Disbursed, refused by the agency or written off; all else is pending.`}
          />
          <NeedsAction stats={stats} figures={figures} />
        </>
      )}
      <CohortComparison />
      <MoneyCards
        figures={figures.data}
        failure={figures.data ? null : failureOf(figures.error, figures.refetch)}
      />
      <Stats>
        {links.map(({ href, icon, label, note }) => (
          <StatCard
            key={href}
            href={href}
            icon={icon}
            label={label}
            figure=""
            note={note}
            wide
            renderLink={pageLink}
          />
        ))}
      </Stats>
    </TransferPage>
  )
}

/** The programme's sums under the names of a cohort's. */
const statsOf = (totals: AnswerOf<typeof transfers.settings>): CohortStats => ({
  total_amount_expected: totals.totalAmountExpected,
  total_amount_disbursed: totals.totalAmountDisbursed,
  total_amount_arrears: totals.finalAmountArrears,
  total_amount_pending: totals.totalAmountPending,
  total_amount_unknown: totals.totalAmountUnknown,
  total_amount_written_off: totals.totalAmountWrittenOff,
  total_amount_fees: totals.totalAmountFees,
})
