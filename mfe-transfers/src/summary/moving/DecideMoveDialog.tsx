import { Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import { type CohortMove, cohortMoves, type ProposedMove } from '@portal/contracts/transfers/cohort-moves'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { reconciliations } from '@portal/contracts/transfers/reconciliations'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { fullName } from '../../words.tsx'
import { MoveTotals } from './MoveTotals.tsx'
import './words.ts'

type Props = {
  cohort: CohortSummary
  move: CohortMove
  proposal: ProposedMove
  action: 'approved' | 'refused'
  onClose: () => void
}

/** The second person's decision on the agency of a cohort. */
export function DecideMoveDialog({ cohort, move, proposal, action, onClose }: Props) {
  const { t } = useLingui()
  const approves = action === 'approved'
  const form = useEndpointForm(cohortMoves.decide, {
    params: { id: proposal.id },
    defaults: { action },
    refetches: [
      cohortMoves.read,
      transfers.summary,
      transfers.progress,
      transfers.cohorts,
      reconciliations.list,
    ],
    problems: 'approval',
    onDone: onClose,
  })
  const [who, from, to] = [fullName(proposal.user), move.agency.name, proposal.agency.name]
  const blocked = move.wanted?.obstacles.length ? t`It cannot be moved there now.` : null
  const barred = approves ? (proposal.barred ?? blocked) : null
  const label = approves ? t`Approve the new agency` : t`Refuse the new agency`
  return (
    <ConfirmDialog
      title={label}
      description={cohort.name}
      form={form}
      onClose={onClose}
      danger={!approves}
      barred={barred}
      confirmLabel={label}
    >
      <p>
        <Trans>
          {who} proposed to pay this cohort through {to} instead of {from}: {proposal.reason}
        </Trans>
      </p>
      {approves ? (
        <MoveTotals move={move} />
      ) : (
        <p>
          <Trans>The cohort stays with {from}. Another change can be proposed.</Trans>
        </p>
      )}
    </ConfirmDialog>
  )
}
