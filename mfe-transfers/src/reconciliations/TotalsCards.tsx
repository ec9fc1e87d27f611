import { Trans, useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '@portal/contracts/endpoint'
import type { transfers } from '@portal/contracts/transfers'
import { formatPercent } from '@portal/i18n/format'
import { Figures } from '@portal/ui/Figures'
import { ProgrammeFigures } from '../ProgrammeFigures.tsx'

/** The programme's totals over all rounds made so far, and that they add up. */
export function TotalsCards({ totals }: { totals: AnswerOf<typeof transfers.settings> }) {
  const { t } = useLingui()
  const expected = totals.totalAmountExpected
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
            amount: totals.totalAmountDisbursed,
            note: share(totals.totalAmountDisbursed),
          },
          {
            key: 'arrears',
            label: t`Total arrears`,
            amount: totals.finalAmountArrears,
            note: share(totals.finalAmountArrears),
          },
          {
            key: 'fees',
            label: t`Total fees`,
            amount: totals.totalAmountFees,
            note: t`on what was disbursed`,
          },
        ]}
      />
      <ProgrammeFigures totals={totals} />
    </>
  )
}
