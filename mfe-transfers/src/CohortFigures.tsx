import { Trans, useLingui } from '@lingui/react/macro'
import type { CohortStats } from '@portal/contracts/transfers/cohorts'
import { type Figure, Figures } from '@portal/ui/Figures'
import { Money } from '@portal/ui/Money'
import type { ReactNode } from 'react'

type Props = {
  stats: CohortStats
  /** What is expected, and of whom. */
  label: string
  notes?: { expected?: ReactNode; disbursed?: ReactNode; arrears?: ReactNode; pending?: ReactNode }
}

/** What a page calls pending: not settled yet. A payment whose outcome is unknown is not settled either. */
export const pendingOf = (stats: CohortStats) => stats.total_amount_pending + stats.total_amount_unknown

/** expected = disbursed + arrears + pending and unknown (+ written off), to the franc (Money 3.2). */
export function CohortFigures({ stats, label, notes = {} }: Props) {
  const { t } = useLingui()
  const unknown = stats.total_amount_unknown
  const figures: Figure[] = [
    { key: 'expected', label, amount: stats.total_amount_expected, note: notes.expected },
    {
      key: 'disbursed',
      label: t`Disbursed`,
      amount: stats.total_amount_disbursed,
      note: notes.disbursed,
      swatch: 'good',
    },
    {
      key: 'arrears',
      label: t`Arrears`,
      amount: stats.total_amount_arrears,
      note: notes.arrears,
      swatch: 'bad',
    },
    {
      key: 'pending',
      label: t`Pending`,
      amount: pendingOf(stats),
      note:
        unknown > 0 ? (
          <Trans>
            of which <Money amount={unknown} /> unknown
          </Trans>
        ) : (
          notes.pending
        ),
      swatch: 'rest',
    },
  ]
  if (stats.total_amount_written_off > 0) {
    figures.push({ key: 'off', label: t`Written off`, amount: stats.total_amount_written_off })
  }
  return <Figures sum figures={figures} />
}
