import { Trans, useLingui } from '@lingui/react/macro'
import type { CohortStats } from '@portal/contracts/transfers/cohorts'
import type { Reconciliation } from '@portal/contracts/transfers/reconciliations'
import type { Column } from '@portal/screens/DataTable'
import { pageLink } from '@portal/screens/ListPage'
import { Count, DateText, Money, Nothing } from '@portal/ui/Money'
import { Share } from '@portal/ui/Progress'
import { pendingOf } from '../CohortFigures.tsx'
import { paths } from '../paths.ts'
import { CohortPill } from '../words.tsx'

/** A cohort with its figures; the bar is what signed statements confirm of what was disbursed. */
export function useCohortColumns(): Column<Reconciliation>[] {
  const { t } = useLingui()
  const money = (
    key: keyof CohortStats,
    header: string,
    amount = (cohort: Reconciliation) => cohort[key],
  ): Column<Reconciliation> => ({
    key,
    header,
    align: 'right',
    sortable: true,
    cell: (cohort) => <Money amount={amount(cohort)} currency={false} />,
  })
  return [
    {
      key: 'name',
      header: t`Cohort`,
      sortable: true,
      wrap: true,
      cell: (cohort) => (
        <span>
          {pageLink({ href: paths.summary(cohort.id), className: 'strong', children: cohort.name })}
          <span className="sub more nowrap">
            <DateText iso={cohort.from} /> – <DateText iso={cohort.to} />
          </span>
        </span>
      ),
    },
    {
      key: 'status',
      header: t`Status`,
      sortable: true,
      wrap: true,
      // Wide enough for its longest label, not approved, on one line.
      width: '152px',
      phone: 'note',
      cell: ({ status, stopped, closed }) => <CohortPill status={status} stopped={stopped} closed={closed} />,
    },
    {
      ...money('total_amount_expected', t`Expected (XOF)`),
      // Without it the amounts of a row would not add up.
      cell: ({ total_amount_expected: expected, total_amount_written_off: off }) => (
        <>
          <Money amount={expected} currency={false} />
          {off > 0 && (
            <span className="sub">
              <Trans>
                of which <Money amount={off} currency={false} /> written off
              </Trans>
            </span>
          )}
        </>
      ),
    },
    { ...money('total_amount_disbursed', t`Disbursed (XOF)`), phone: 'main' },
    money('total_amount_arrears', t`Arrears (XOF)`),
    money('total_amount_pending', t`Pending (XOF)`, pendingOf),
    money('total_amount_fees', t`Fees (XOF)`),
    {
      key: 'total_amount_confirmed',
      header: t`Confirmed`,
      sortable: true,
      width: '10%',
      cell: ({ total_amount_confirmed: amount, total_amount_disbursed: of }) =>
        of > 0 ? <Share value={amount} of={of} share={amount / of} /> : <Nothing />,
    },
    {
      key: 'rounds',
      header: t`Rounds`,
      align: 'right',
      cell: ({ id, rounds }) =>
        pageLink({
          href: paths.payrolls(id),
          children: (
            <>
              <Count value={rounds} />{' '}
              <span className="hidden-visually">
                <Trans>Payrolls</Trans>
              </span>
            </>
          ),
        }),
    },
  ]
}
