import { Trans, useLingui } from '@lingui/react/macro'
import type { ReconciliationTotals } from '@portal/contracts/transfers/reconciliations'
import { formatNumber, formatPercent } from '@portal/i18n/format'
import { Figures } from '@portal/ui/Figures'
import { Share } from '@portal/ui/Progress'
import { ProgrammeFigures } from '../ProgrammeFigures.tsx'

type Props = { totals: ReconciliationTotals; narrowed: boolean }

/** The sums over all cohorts of the list, that they add up, and what signed statements confirm (Money 9.5). */
export function TotalsCards({ totals, narrowed }: Props) {
  const { t } = useLingui()
  const expected = totals.total_amount_expected
  const { total_amount_disbursed: disbursed, total_amount_confirmed: confirmed } = totals
  const [payments, of] = [formatNumber(totals.payments_confirmed), formatNumber(totals.payments_disbursed)]
  const share = (amount: number) => {
    const percent = formatPercent(expected > 0 ? amount / expected : 0, 1)
    return <Trans>{percent} of what was expected</Trans>
  }
  return (
    <>
      <Figures
        figures={[
          {
            key: 'disbursed',
            label: t`Total disbursed`,
            amount: totals.total_amount_disbursed,
            note: share(totals.total_amount_disbursed),
          },
          {
            key: 'arrears',
            label: t`Total arrears`,
            amount: totals.total_amount_arrears,
            note: share(totals.total_amount_arrears),
          },
          {
            key: 'fees',
            label: t`Total fees`,
            amount: totals.total_amount_fees,
            note: t`on what was disbursed`,
          },
          {
            key: 'confirmed',
            label: t`Confirmed by statements`,
            amount: confirmed,
            note: (
              <>
                {t`${payments} of ${of} payments`}
                {disbursed > 0 && <Share value={confirmed} of={disbursed} share={confirmed / disbursed} />}
              </>
            ),
          },
        ]}
      />
      <ProgrammeFigures
        stats={totals}
        of={narrowed ? t`Of the cohorts that the filters leave` : t`Of all rounds made so far`}
      />
    </>
  )
}
