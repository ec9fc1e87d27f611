import { Trans, useLingui } from '@lingui/react/macro'
import type { CohortStats } from '@portal/contracts/cohorts'
import { formatPercent } from '@portal/i18n/format'
import { Figures } from '@portal/ui/Figures'
import { ProgrammeFigures } from '../ProgrammeFigures.tsx'

type Props = { totals: CohortStats; narrowed: boolean }

/** The sums over all cohorts of the list, and that they add up. */
export function TotalsCards({ totals, narrowed }: Props) {
  const { t } = useLingui()
  const expected = totals.total_amount_expected
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
        ]}
      />
      <ProgrammeFigures
        stats={totals}
        of={narrowed ? t`Of the cohorts that the filters leave` : t`Of all rounds made so far`}
      />
    </>
  )
}
