import { Trans, useLingui } from '@lingui/react/macro'
import type { Cohort, CohortStats } from '@portal/contracts/cohorts'
import type { Column } from '@portal/screens/DataTable'
import { pageLink } from '@portal/screens/ListPage'
import { DateText, Money } from '@portal/ui/Money'
import { Share } from '@portal/ui/Progress'
import { paths } from '../paths.ts'
import { CohortPill } from '../words.tsx'

/** A cohort with its figures; the bar is its part of all that was disbursed, the longest one of the page full. */
export function useCohortColumns(shown: readonly Cohort[], disbursed: number): Column<Cohort>[] {
  const { t } = useLingui()
  const longest = Math.max(...shown.map((cohort) => cohort.transfer_cohort_stats.total_amount_disbursed), 0)
  const money = (of: keyof CohortStats) => (cohort: Cohort) => (
    <Money amount={cohort.transfer_cohort_stats[of]} currency={false} />
  )
  return [
    {
      key: 'name',
      header: t`Cohort`,
      sortable: true,
      wrap: true,
      cell: (cohort) => (
        <span>
          {pageLink({ href: paths.summary(cohort.id), className: 'strong', children: cohort.name })}
          <span className="sub nowrap">
            <DateText iso={cohort.from} /> – <DateText iso={cohort.to} />
          </span>
        </span>
      ),
    },
    {
      key: 'status',
      header: t`Status`,
      sortable: true,
      phone: 'status',
      cell: ({ status, stopped }) => <CohortPill status={status} stopped={stopped} />,
    },
    { key: 'expected', header: t`Expected (XOF)`, align: 'right', cell: money('total_amount_expected') },
    { key: 'disbursed', header: t`Disbursed (XOF)`, align: 'right', cell: money('total_amount_disbursed') },
    { key: 'arrears', header: t`Arrears (XOF)`, align: 'right', cell: money('total_amount_arrears') },
    { key: 'fees', header: t`Fees (XOF)`, align: 'right', cell: money('total_amount_fees') },
    {
      key: 'share',
      header: t`Share of total`,
      gap: true,
      width: '18%',
      cell: ({ transfer_cohort_stats: { total_amount_disbursed: amount } }) => (
        <Share value={amount} of={longest} share={disbursed > 0 ? amount / disbursed : 0} />
      ),
    },
    {
      key: 'payrolls',
      header: t`Rounds`,
      cell: (cohort) => pageLink({ href: paths.payrolls(cohort.id), children: <Trans>Payrolls</Trans> }),
    },
  ]
}
