import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { cohortMoves } from '@portal/contracts/transfers/cohort-moves'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { moveSteps } from '@portal/contracts/transfers/steps/cohort'
import { formatDateTime } from '@portal/i18n/format'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useCan, useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Notice } from '@portal/ui/Notice'
import { Failed } from '@portal/ui/Table'
import { NextStep } from '../../dialogs/NextStep.tsx'
import { fullName } from '../../words.tsx'
import './words.ts'

const DecideMoveDialog = lazy(() => import('./DecideMoveDialog.tsx'), 'DecideMoveDialog')
const WithdrawMoveDialog = lazy(() => import('./WithdrawMoveDialog.tsx'), 'WithdrawMoveDialog')

/** The move of a cohort that waits for a second person. */
export function ProposedMoveCard({ cohort }: { cohort: CohortSummary }) {
  const { t } = useLingui()
  const can = useCan()
  const { client } = useHost()
  const deciding = useDialog<'approved' | 'refused'>()
  const withdrawing = useDialog<true>()
  const {
    data: move,
    error,
    refetch,
  } = useQuery(queryOf(client, cohortMoves.read, { params: { id: cohort.id } }))
  const failure = move ? null : failureOf(error, refetch)
  if (failure)
    return (
      <Card title={t`A change to another agency waits for approval.`}>
        <Failed {...failure} />
      </Card>
    )
  const proposal = move?.proposal
  if (!proposal) return null
  const [who, when, agency] = [
    fullName(proposal.user),
    formatDateTime(proposal.created_at),
    proposal.agency.name,
  ]
  return (
    <Notice
      tone="waiting"
      title={t`A change to the agency ${agency} waits for approval.`}
      actions={
        <>
          {proposal.own && can('cohorts.create') && (
            <Button onClick={() => withdrawing.open(true)}>
              <Trans>Withdraw the change</Trans>
            </Button>
          )}
          {can('cohorts.approve') && (
            <>
              <Button onClick={() => deciding.open('refused')}>
                <Trans>Refuse the new agency</Trans>
              </Button>
              <Button variant="primary" onClick={() => deciding.open('approved')}>
                <Trans>Look at it and approve</Trans>
              </Button>
            </>
          )}
        </>
      }
    >
      <Trans>
        {who} proposed it on {when} (UTC):
      </Trans>{' '}
      <q>{proposal.reason}</q> <NextStep of={moveSteps} state="proposed" onlyNext />
      {withdrawing.item && (
        <WithdrawMoveDialog cohort={cohort} move={move} proposal={proposal} onClose={withdrawing.close} />
      )}
      {deciding.item && (
        <DecideMoveDialog
          cohort={cohort}
          move={move}
          proposal={proposal}
          action={deciding.item}
          onClose={deciding.close}
        />
      )}
    </Notice>
  )
}
