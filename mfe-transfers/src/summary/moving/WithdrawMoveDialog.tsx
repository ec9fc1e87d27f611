import { Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import { type CohortMove, cohortMoves, type ProposedMove } from '@portal/contracts/transfers/cohort-moves'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import './words.ts'

type Props = { cohort: CohortSummary; move: CohortMove; proposal: ProposedMove; onClose: () => void }

/** Takes back one's own proposal to pay a cohort through another agency. */
export function WithdrawMoveDialog({ cohort, move, proposal, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(cohortMoves.withdraw, {
    params: { id: proposal.id },
    refetches: [cohortMoves.read, transfers.summary],
    problems: 'approval',
    onDone: onClose,
  })
  const [from, to] = [move.agency.name, proposal.agency.name]
  return (
    <ConfirmDialog
      title={t`Withdraw the change of agency`}
      description={cohort.name}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Withdraw the change`}
    >
      <p>
        <Trans>Nobody has to decide on {to} any more.</Trans>
      </p>
      <p>
        <Trans>The cohort stays with {from}. Another change can be proposed.</Trans>
      </p>
    </ConfirmDialog>
  )
}
