import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { transfers } from '@portal/contracts/transfers'
import type { CohortSummary, Progress } from '@portal/contracts/transfers/cohorts'
import { formatDate, formatNumber, today } from '@portal/i18n/format'
import { lazy } from '@portal/screens/lazy'
import { problemText } from '@portal/screens/problemText'
import { refetchTwice } from '@portal/screens/refetchTwice'
import { useHost, useMutation, useQueryClient } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { ProgressCard } from '@portal/ui/Progress'
import { type Round, SentCard } from './SentCard.tsx'
import type { Pace } from './useCohortProgress.tsx'

const BankRoundHint = lazy(() => import('../dialogs/BankRoundHint.tsx'), 'BankRoundHint')

type Props = { cohort: CohortSummary; progress: Progress; pace: Pace; onSee: (status: string) => void }

/** The latest round on its way, and how it went once it has ended. */
export function SendingCard({ cohort, progress, pace, onSee }: Props) {
  const { t } = useLingui()
  const { round } = progress
  if (!round) return null
  const stop = progress.status === 'approved' && !progress.stopped && <StopPayments id={cohort.id} />
  if (round.pending === 0) return <SentCard round={round} onSee={onSee} stop={stop} />
  const [done, total] = [formatNumber(round.total - round.pending), formatNumber(round.total)]
  const halted = progress.status === 'error'
  return (
    <ProgressCard
      title={halted ? t`Disbursement halted` : t`Disbursing money to beneficiaries`}
      text={
        halted
          ? t`${done} of ${total} beneficiaries processed`
          : t`Processing ${done} of ${total} beneficiaries`
      }
      total={round.total}
      parts={[
        { key: 'success', label: t`Success`, count: round.success, tone: 'good' },
        { key: 'failed', label: t`Failed`, count: round.failed, tone: 'bad' },
        ...(round.withheld > 0
          ? [
              {
                key: 'withheld',
                label: t({ message: 'Withheld', context: 'of a payment' }),
                count: round.withheld,
                tone: 'waiting' as const,
              },
            ]
          : []),
        ...(round.written_off > 0
          ? [{ key: 'written_off', label: t`Written off`, count: round.written_off, tone: 'accent' as const }]
          : []),
        // What is unknown is not done (Money 3.4): otherwise the percentage would fall when the round has ended.
        { key: 'unknown', label: t`Unknown outcome`, count: round.unknown, tone: 'rest' },
        { key: 'pending', label: t`Still to send`, count: round.pending, tone: 'rest' },
      ]}
      pace={<PaceText round={round} of={cohort.rounds_total} progress={progress} pace={pace} />}
      meanwhile={
        progress.status === 'approved' &&
        !progress.stopped &&
        (progress.takes_files ? (
          <BankRoundHint groupId={round.id} />
        ) : (
          <Trans>An automated background process. You can leave this page.</Trans>
        ))
      }
      actions={stop}
    />
  )
}

function PaceText({
  round,
  of,
  progress,
  pace,
}: { round: Round; of: number } & Pick<Props, 'progress' | 'pace'>) {
  const { t } = useLingui()
  const due = formatDate(round.due_on)
  const waits =
    progress.status === 'error'
      ? t`halted by a payment error`
      : progress.stopped
        ? t`stopped, nothing more is sent`
        : round.due_on > today()
          ? t`sent on ${due}`
          : null
  return (
    <>
      <Trans>
        Round {round.n} of {of}
      </Trans>
      {waits && <> · {waits}</>}
      {!waits && pace && (
        <>
          {' · '}
          <Plural value={pace.perMinute} one="# payment a minute" other="# payments a minute" />
          {' · '}
          <span className="strong">
            <TimeLeft minutes={pace.minutes} />
          </span>
        </>
      )}
    </>
  )
}

function TimeLeft({ minutes }: { minutes: number }) {
  if (minutes < 1) return <Trans>less than a minute left</Trans>
  if (minutes < 90) {
    return <Plural value={Math.ceil(minutes)} one="about # minute left" other="about # minutes left" />
  }
  return <Plural value={Math.round(minutes / 60)} one="about # hour left" other="about # hours left" />
}

/** Stop works with one click, because it can be undone; how, stands above the figures of a stopped cohort. */
function StopPayments({ id }: { id: number }) {
  const { client, can, notify } = useHost()
  const queries = useQueryClient()
  const stop = useMutation({
    mutationFn: () => client.call(transfers.stop, { params: { id } }),
    onSuccess: ({ message }) => {
      notify.good(message)
      refetchTwice(queries, [transfers.progress, transfers.summary])
    },
  })
  if (!can('cohorts.approve')) return null
  return (
    <>
      <Button small variant="danger" icon="stop" busy={stop.isPending} onClick={() => stop.mutate()}>
        <Trans>Stop payments</Trans>
      </Button>
      {stop.error && (
        <Notice tone="bad" alert>
          {problemText(asProblem(stop.error), 'request')}
        </Notice>
      )}
    </>
  )
}
