import { useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '@portal/contracts/endpoint'
import type { transfers } from '@portal/contracts/transfers'
import { CohortFigures } from './CohortFigures.tsx'

/** The programme's money over all rounds made so far, and that it adds up. */
export function ProgrammeFigures({ totals }: { totals: AnswerOf<typeof transfers.settings> }) {
  const { t } = useLingui()
  const open = totals.totalAmountPending > 0
  return (
    <CohortFigures
      label={t`Expected so far`}
      stats={{
        total_amount_expected: totals.totalAmountExpected,
        total_amount_disbursed: totals.totalAmountDisbursed,
        total_amount_arrears: totals.finalAmountArrears,
        total_amount_pending: totals.totalAmountPending,
        total_amount_unknown: totals.totalAmountUnknown,
        total_amount_written_off: totals.totalAmountWrittenOff,
        total_amount_fees: totals.totalAmountFees,
      }}
      notes={{
        expected: t`Of all rounds made so far`,
        pending: open ? t`on its way or not sent yet` : t`all settled`,
      }}
    />
  )
}
