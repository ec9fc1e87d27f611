import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { PayrollGroup } from '@portal/contracts/transfers/payrolls'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { formatDate } from '@portal/i18n/format'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useList } from '@portal/screens/useList'
import { ButtonLink } from '@portal/ui/Button'
import { Count, DateText, Money } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { Link, useParams } from 'react-router-dom'
import { CohortFigures } from '../CohortFigures.tsx'
import { PageState } from '../PageState.tsx'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { CohortPill } from '../words.tsx'
import { FailuresCard } from './FailuresCard.tsx'
import './words.ts'

const RoundsCard = lazy(() => import('../dialogs/RoundsCard.tsx'), 'RoundsCard')

/** Disbursement rounds of a cohort: those made, with their money, and those missed or still to come. */
export default function PayrollsPage() {
  const { t } = useLingui()
  const id = Number(useParams().id)
  const list = useList(payrolls.list, (answer) => answer.cohort.transfer_payroll_groups, {
    params: { id },
    every: 5000,
    until: ({ cohort }) => cohort.transfer_payroll_groups.data.every((group) => group.pending === 0),
  })
  const cohort = list.answer?.cohort
  const columns = useColumns(list.items)
  const back = { to: paths.summary(id), label: cohort?.name ?? t`Cohort` }
  if (!cohort) return <PageState title={t`Disbursement rounds`} back={back} list={list} />

  const [from, to] = [formatDate(cohort.from), formatDate(cohort.to)]
  const ahead = cohort.rounds.filter(({ state }) => state !== 'made')
  return (
    <TransferPage
      title={t`Disbursement rounds`}
      status={<CohortPill status={cohort.status} stopped={cohort.stopped} closed={cohort.closed} />}
      description={
        <>
          {cohort.period_over ? (
            <Trans>
              Period: {from} – {to}
            </Trans>
          ) : (
            <Trans>
              Running period: {from} – {to}
            </Trans>
          )}
          {' · '}
          <Plural value={cohort.rounds_total} one="# round" other="# rounds" />
        </>
      }
      back={back}
    >
      {list.items.length > 0 && (
        <CohortFigures stats={cohort.transfer_cohort_stats} label={t`Expected so far`} />
      )}
      <DataTable
        label={t`Disbursement rounds`}
        list={list}
        columns={columns}
        empty={t`No payroll is available for this period yet`}
      />
      <FailuresCard cohort={cohort} />
      {ahead.length > 0 && <RoundsCard cohort={cohort} rounds={ahead} />}
    </TransferPage>
  )
}

/** What is rare has a column where a round has some, so that the counts of each row add up. */
function useColumns(groups: readonly PayrollGroup[]): Column<PayrollGroup>[] {
  const { t } = useLingui()
  const money = (of: 'fees' | 'disbursed' | 'arrears') => (group: PayrollGroup) => (
    <Money amount={group[of]} currency={false} />
  )
  type Counted = 'count' | 'successful' | 'failed' | 'pending' | 'unknown' | 'withheld' | 'written_off_count'
  const count = (of: Counted) => (group: PayrollGroup) => <Count value={group[of]} />
  const rare: Column<PayrollGroup>[] = [
    {
      key: 'withheld' as const,
      header: t({ message: 'Withheld', context: 'of a payment' }),
    },
    { key: 'written_off_count' as const, header: t`Written off` },
  ]
    .filter(({ key }) => groups.some((group) => group[key] > 0))
    .map(({ key, header }) => ({ key, header, align: 'right', cell: count(key) }))
  return [
    {
      key: 'n',
      header: t`Round`,
      sortable: true,
      cell: ({ id, n }) => <Link to={paths.payroll(id)}>{t`Round ${n}`}</Link>,
    },
    { key: 'count', header: t`Count`, align: 'right', cell: count('count') },
    { key: 'successful', header: t`Successful`, align: 'right', cell: count('successful') },
    { key: 'failed', header: t`Failed`, align: 'right', cell: count('failed') },
    ...rare,
    { key: 'pending', header: t`Pending`, align: 'right', cell: count('pending') },
    {
      key: 'unknown',
      header: t({ message: 'Unknown', context: 'column' }),
      align: 'right',
      cell: count('unknown'),
    },
    { key: 'fees', header: t`Fees (XOF)`, align: 'right', cell: money('fees') },
    { key: 'disbursed', header: t`Disbursed (XOF)`, align: 'right', phone: 'main', cell: money('disbursed') },
    { key: 'arrears', header: t`Arrears (XOF)`, align: 'right', cell: money('arrears') },
    {
      key: 'executed_at',
      header: t`Date executed`,
      gap: true,
      phone: 'note',
      cell: (group) =>
        group.executed_at ? (
          <DateText iso={group.executed_at} time="below" />
        ) : (
          <StatusPill tone="info" icon="send">
            {t`Running`}
          </StatusPill>
        ),
    },
    {
      key: 'details',
      header: <span className="hidden-visually">{t`Actions`}</span>,
      label: ' ',
      cell: (group) => (
        <ButtonLink small href={paths.payroll(group.id)} renderLink={pageLink}>
          <Trans>See Details</Trans>
        </ButtonLink>
      ),
    },
  ]
}
