import { Trans, useLingui } from '@lingui/react/macro'
import type { HeldList, HeldRound } from '@portal/contracts/transfers/sending-hold'
import { heldRoundSteps } from '@portal/contracts/transfers/steps/hold'
import { formatNumber } from '@portal/i18n/format'
import { pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useCan } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { Count, DateText } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { Table } from '@portal/ui/Table'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'

const NextStep = lazy(() => import('../dialogs/NextStep.tsx'), 'NextStep')
const ConfirmRoundDialog = lazy(() => import('./ConfirmRoundDialog.tsx'), 'ConfirmRoundDialog')

/** Rounds that were open; where an agency does not answer, a person confirms. */
export function HeldRounds({ rounds }: { rounds: HeldRound[] }) {
  const { t } = useLingui()
  const can = useCan()
  const confirming = useDialog<HeldRound>()
  const unanswered = (round: HeldRound) =>
    round.failure !== null && !round.confirmed && round.asked < round.entries
  return (
    <Card title={t`Open rounds`}>
      <Table
        label={t`Open rounds`}
        rows={rounds}
        rowKey={(round) => round.id}
        empty={t`No round was open.`}
        columns={[
          {
            key: 'cohort',
            header: t`Cohort`,
            wrap: true,
            cell: (round) => pageLink({ href: paths.payroll(round.id), children: round.cohort_name }),
          },
          { key: 'n', header: t`Round`, align: 'right', cell: (round) => <Count value={round.n} /> },
          { key: 'due', header: t`Due`, cell: (round) => <DateText iso={round.due_on} /> },
          { key: 'agency', header: t`Agency`, wrap: true, cell: (round) => round.agency_name },
          {
            key: 'asked',
            header: t`Asked about`,
            align: 'right',
            cell: (round) => `${formatNumber(round.asked)} / ${formatNumber(round.entries)}`,
          },
          {
            key: 'state',
            header: t`Status`,
            wrap: true,
            phone: 'status',
            cell: (round) => <RoundState round={round} />,
          },
        ]}
        rowName={(round) => `${round.cohort_name} ${round.n}`}
        rowActions={(round) =>
          can('cohorts.approve') && unanswered(round)
            ? [{ label: t`Confirm round`, icon: 'check', onSelect: () => confirming.open(round) }]
            : []
        }
      />
      {confirming.item && <ConfirmRoundDialog round={confirming.item} onClose={confirming.close} />}
    </Card>
  )
}

const failureWords: Record<NonNullable<HeldRound['failure']>, ReactNode> = {
  cannot_ask: <Trans>Cannot be asked</Trans>,
  unreachable: <Trans>Agency does not answer</Trans>,
  moved: <Trans>Agency had moved</Trans>,
}

function RoundState({ round }: { round: HeldRound }) {
  if (round.confirmed)
    return (
      <StatusPill tone="info" icon="good">
        <Trans>Confirmed by a person</Trans>
      </StatusPill>
    )
  if (round.asked === round.entries)
    return (
      <StatusPill tone="good">
        <Trans>Asked about</Trans>
      </StatusPill>
    )
  if (round.failure)
    return (
      <div>
        <StatusPill tone="bad">{failureWords[round.failure]}</StatusPill>
        <div className="small muted">
          <NextStep of={heldRoundSteps} state="not_askable" />
        </div>
      </div>
    )
  return (
    <StatusPill tone="neutral">
      <Trans>Being asked</Trans>
    </StatusPill>
  )
}

/** How far each agency's own list was read. */
export function HeldLists({ lists }: { lists: HeldList[] }) {
  const { t } = useLingui()
  const words = {
    reading: <StatusPill tone="neutral">{t`Being read`}</StatusPill>,
    read: <StatusPill tone="good">{t`Read`}</StatusPill>,
    no_list: <StatusPill tone="waiting">{t`Gives no list`}</StatusPill>,
    unreachable: <StatusPill tone="bad">{t`Agency does not answer`}</StatusPill>,
  }
  return (
    <Card
      title={t`The agencies’ own lists`}
      text={t`They show payments that this database lost. Where an agency gives no list, look at its statement.`}
    >
      <Table
        label={t`The agencies’ own lists`}
        rows={lists}
        rowKey={(list) => list.agency_id}
        empty={t`No data available`}
        columns={[
          { key: 'agency', header: t`Agency`, wrap: true, cell: (list) => list.agency_name },
          {
            key: 'payments',
            header: t`Payments compared`,
            align: 'right',
            cell: (list) => <Count value={list.payments} />,
          },
          { key: 'state', header: t`Status`, phone: 'status', cell: (list) => words[list.state] },
        ]}
        rowName={(list) => list.agency_name}
      />
    </Card>
  )
}
