import { useLingui } from '@lingui/react/macro'
import type { CohortStats } from '@portal/contracts/transfers/cohorts'
import { CohortFigures } from './CohortFigures.tsx'

type Props = {
  stats: CohortStats
  /** Which rounds or cohorts the sums are of. */
  of: string
}

/** The money of many cohorts over all rounds made so far, and that it adds up. */
export function ProgrammeFigures({ stats, of }: Props) {
  const { t } = useLingui()
  const open = stats.total_amount_pending > 0
  return (
    <CohortFigures
      label={t`Expected so far`}
      stats={stats}
      notes={{ expected: of, pending: open ? t`on its way or not sent yet` : t`all settled` }}
    />
  )
}
