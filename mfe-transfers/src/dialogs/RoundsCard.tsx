import { Trans, useLingui } from '@lingui/react/macro'
import type { Cohort, Payable, RoundPlan } from '@portal/contracts/transfers/cohorts'
import { roundSteps } from '@portal/contracts/transfers/steps/round'
import { formatNumber, today } from '@portal/i18n/format'
import { pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useCan } from '@portal/sdk'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { type Column, Table } from '@portal/ui/Table'
import { useState } from 'react'
import { paths } from '../paths.ts'
import './words.ts'

const NextStep = lazy(() => import('./NextStep.tsx'), 'NextStep')
const StartRoundDialog = lazy(() => import('./StartRoundDialog.tsx'), 'StartRoundDialog')

/** More rounds than these are folded: a daily plan has dozens. */
const shortPlan = 8

type Props = {
  cohort: Cohort & { payable: Payable }
  rounds: RoundPlan[]
  /** The title of a card with the whole plan. A card without one shows only the rounds that are not made. */
  title?: string
  barred?: string | null
}

/** The plan of a cohort's rounds: made, scheduled, and missed ones, which only a person starts (Money 2.5). */
export function RoundsCard({ cohort, rounds, title: whole, barred }: Props) {
  const { t } = useLingui()
  const title = whole ?? (cohort.closed ? t`Rounds that were not made` : t`Missed and scheduled rounds`)
  const can = useCan()
  const starting = useDialog<RoundPlan>()
  const [all, setAll] = useState(false)
  const running = cohort.status === 'approved' && !cohort.closed
  const startable = can('cohorts.approve') && running
  const columns: Column<RoundPlan>[] = [
    { key: 'n', header: t`Round`, cell: ({ n }) => t`Round ${n}` },
    { key: 'due_on', header: t`Due on`, cell: ({ due_on }) => <DateText iso={due_on} /> },
    {
      key: 'state',
      header: t`State`,
      cell: (round) => <RoundState {...round} running={running} />,
      wrap: true,
      phone: 'status',
    },
    {
      key: 'act',
      header: <span className="hidden-visually">{t`Actions`}</span>,
      label: ' ',
      align: 'right',
      cell: (round) =>
        startable && waitsForPerson(round) ? (
          <Button small icon="play" onClick={() => starting.open(round)}>
            <Trans>Start round {round.n}</Trans>
          </Button>
        ) : round.payroll_group_id ? (
          <ButtonLink small href={paths.payroll(round.payroll_group_id)} renderLink={pageLink}>
            <Trans>See Details</Trans>
          </ButtonLink>
        ) : (
          ''
        ),
    },
  ]
  const folded = rounds.length > shortPlan && !all
  const count = formatNumber(rounds.length)
  return (
    <Card
      title={title}
      foot={
        folded && (
          <Button small variant="plain" onClick={() => setAll(true)}>
            <Trans>Show all {count} rounds</Trans>
          </Button>
        )
      }
    >
      <Table
        compact
        label={title}
        columns={columns}
        rows={folded ? nearest(rounds) : rounds}
        rowKey={({ n }) => n}
        empty={t`No data available`}
      />
      {starting.item && (
        <StartRoundDialog
          cohort={cohort}
          round={rounds.find(({ n }) => n === starting.item?.n) ?? starting.item}
          barred={barred}
          onClose={starting.close}
        />
      )}
    </Card>
  )
}

/** Missed, or due and held up by payments of the round before whose outcome is unknown. */
const waitsForPerson = ({ state, due_on }: RoundPlan) =>
  state === 'missed' || (state === 'scheduled' && due_on <= today())

/** The last rounds behind and the next ones ahead. */
function nearest(rounds: RoundPlan[]): RoundPlan[] {
  const next = rounds.findIndex(({ state }) => state === 'scheduled' || state === 'not_made')
  const at = next < 0 ? rounds.length : next
  return rounds.slice(Math.max(0, at - 5), at + 3)
}

/** A missed round says why, and who starts it; a cohort that is not running says that itself. */
function RoundState({ state, perhaps_paid, running }: RoundPlan & { running: boolean }) {
  if (state !== 'missed' || !running) return <RoundPill state={state} />
  return (
    <div>
      <RoundPill state={state} />
      <div className="small muted">
        <NextStep of={roundSteps} state={perhaps_paid ? 'perhaps_paid' : state} />
      </div>
    </div>
  )
}

function RoundPill({ state }: { state: RoundPlan['state'] }) {
  const { t } = useLingui()
  if (state === 'made') return <StatusPill tone="good">{t`Made`}</StatusPill>
  if (state === 'missed') {
    return (
      <StatusPill tone="waiting" icon="alert">
        {t`Missed`}
      </StatusPill>
    )
  }
  if (state === 'not_made') return <StatusPill tone="neutral">{t`Not made`}</StatusPill>
  return (
    <StatusPill tone="neutral" icon="calendar">
      {t`Scheduled`}
    </StatusPill>
  )
}
