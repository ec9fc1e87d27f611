import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { PayrollGroup } from '@portal/contracts/transfers/payrolls'
import { Money } from '@portal/ui/Money'
import { CohortFigures } from '../CohortFigures.tsx'
import { Refused } from '../Refused.tsx'

/** The money of one round: the same equality as the cohort's, with its counts. */
export function RoundFigures({ group }: { group: PayrollGroup }) {
  const { t } = useLingui()
  const open = group.pending + group.unknown
  return (
    <CohortFigures
      label={t`Expected this round`}
      stats={{
        total_amount_expected: group.expected,
        total_amount_disbursed: group.disbursed,
        total_amount_arrears: group.arrears,
        total_amount_pending: group.pending_amount,
        total_amount_unknown: group.unknown_amount,
        total_amount_written_off: group.written_off,
        total_amount_fees: group.fees,
      }}
      notes={{
        expected: <Plural value={group.count} one="# recipient" other="# recipients" />,
        disbursed: (
          <>
            <Plural value={group.successful} one="# payment" other="# payments" />
            {' · '}
            <Trans>
              fees <Money amount={group.fees} />
            </Trans>
          </>
        ),
        arrears: <Refused {...group} />,
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
