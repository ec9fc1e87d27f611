import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { formatRate } from '@portal/i18n/format'
import { Figures } from '@portal/ui/Figures'
import { Money } from '@portal/ui/Money'
import { CohortFigures } from '../CohortFigures.tsx'
import { Refused } from '../Refused.tsx'
import { statusCounts } from './plan.ts'

/** The amounts that lead the page: of the list before the first round, of the rounds made afterwards. */
export function SummaryFigures({ cohort }: { cohort: CohortSummary }) {
  const { t } = useLingui()
  const made = cohort.rounds.filter(({ state }) => state === 'made').length
  const recipients = <Plural value={cohort.master_list_count} one="# recipient" other="# recipients" />
  const stats = cohort.transfer_cohort_stats
  if (made === 0) {
    const sent = cohort.list_amount + cohort.list_fees
    const rate = formatRate(cohort.transfer_parameter.commission)
    return (
      <Figures
        figures={[
          { key: 'expected', label: t`Expected per round`, amount: cohort.list_amount, note: recipients },
          { key: 'fees', label: t`Fees`, amount: cohort.list_fees, note: t`${rate} commission` },
          { key: 'sent', label: t`Sent amount`, amount: sent, note: t`for one round` },
          {
            key: 'all',
            label: t`Whole period`,
            amount: sent * cohort.rounds_total,
            note: <Plural value={cohort.rounds_total} one="# round" other="# rounds" />,
          },
        ]}
      />
    )
  }
  const fees = (
    <Trans>
      fees <Money amount={stats.total_amount_fees} />
    </Trans>
  )
  // Counts are those of the latest round: beside sums over several they would mislead.
  if (made > 1) {
    const notes = {
      expected: <Plural value={made} one="# round so far" other="# rounds so far" />,
      disbursed: fees,
    }
    return <CohortFigures stats={stats} label={t`Expected so far`} notes={notes} />
  }
  const { success, failed, ...others } = statusCounts(cohort)
  const open = others.pending + others.sending + others.unknown
  return (
    <CohortFigures
      stats={stats}
      label={t`Expected this round`}
      notes={{
        expected: <Plural value={cohort.payrolls_count} one="# recipient" other="# recipients" />,
        disbursed: (
          <>
            <Plural value={success} one="# payment" other="# payments" /> · {fees}
          </>
        ),
        arrears: <Refused failed={failed} withheld={others.withheld} />,
        pending:
          open > 0 ? (
            <Plural value={open} one="# not yet confirmed" other="# not yet confirmed" />
          ) : (
            t`all settled`
          ),
      }}
    />
  )
}
