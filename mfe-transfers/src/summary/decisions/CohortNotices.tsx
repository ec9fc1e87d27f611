import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { CohortSummary, Progress } from '@portal/contracts/transfers/cohorts'
import { cohortSteps } from '@portal/contracts/transfers/steps/cohort'
import { formatDateTime } from '@portal/i18n/format'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { fullName } from '../../words.tsx'
import { statusCounts } from '../plan.ts'
import './words.ts'

const NextStep = lazy(() => import('../../dialogs/NextStep.tsx'), 'NextStep')
const ResumeDialog = lazy(() => import('./ResumeDialog.tsx'), 'ResumeDialog')

type Props = { cohort: CohortSummary; progress: Progress | undefined }

/** Why a cohort is not being paid: rejected by whom and why, halted and what was kept, or its agency settles nothing. */
export function CohortNotices({ cohort, progress }: Props) {
  const { t } = useLingui()
  if (cohort.status === 'rejected') {
    const by = cohort.decided_by ? fullName(cohort.decided_by) : '–'
    const when = formatDateTime(cohort.decided_at)
    return (
      <Notice tone="bad" title={t`Rejected by ${by} on ${when}.`}>
        {cohort.comment ? <q>{cohort.comment}</q> : <Trans>No reason was given.</Trans>}{' '}
        <NextStep of={cohortSteps} state="rejected" />
      </Notice>
    )
  }
  if (cohort.closing) {
    const by = fullName(cohort.closing.by)
    const when = formatDateTime(cohort.closing.at)
    return (
      <Notice title={t`Closed for good by ${by} on ${when}.`}>
        <q>{cohort.closing.reason}</q>
      </Notice>
    )
  }
  if (cohort.status === 'pending') return <ToDecide cohort={cohort} />
  if (progress?.stopped ?? cohort.stopped) return <Stopped cohort={cohort} progress={progress} />
  if (cohort.status !== 'error') return <NotProgressing cohort={cohort} progress={progress} />
  return (
    <Notice tone="bad" icon="alert" title={t`Payment error.`}>
      {cohort.error_reason} <WhereTheyStand cohort={cohort} />
      <NextStep of={cohortSteps} state="error" onlyNext />
    </Notice>
  )
}

/** What a retry leaves alone, asks about and sends. Of a kind without payments it says nothing. */
function WhereTheyStand({ cohort }: Pick<Props, 'cohort'>) {
  const { pending, sending, success, failed, unknown, withheld, written_off } = statusCounts(cohort)
  const handled = success + failed + withheld + written_off
  const left = pending + sending
  return (
    <>
      {handled > 0 && (
        <>
          <Plural
            value={handled}
            one="# payment was handled before and is not touched."
            other="# payments were handled before and are not touched."
          />{' '}
        </>
      )}
      {unknown > 0 && (
        <>
          <Plural
            value={unknown}
            one="# unknown outcome is asked about first."
            other="# unknown outcomes are asked about first."
          />{' '}
        </>
      )}
      {left > 0 && (
        <>
          <Plural
            value={left}
            one="# payment is still to be sent."
            other="# payments are still to be sent."
          />{' '}
        </>
      )}
    </>
  )
}

/** Says whose turn it is to people who may not decide. Those who may have the buttons instead. */
function ToDecide({ cohort }: Pick<Props, 'cohort'>) {
  const { t } = useLingui()
  const can = useCan()
  if (can('cohorts.approve') || cohort.import.state !== 'imported') return null
  return (
    <Notice tone="waiting" title={t`The list waits for approval.`}>
      <NextStep of={cohortSteps} state="pending" />
    </Notice>
  )
}

/** Payments go on when somebody resumes them, also those of rounds to come. */
function Stopped({ cohort, progress }: Props) {
  const { t } = useLingui()
  const can = useCan()
  const resuming = useDialog<true>()
  return (
    <Notice
      tone="waiting"
      icon="stop"
      title={t`Payments are stopped.`}
      actions={
        can('cohorts.approve') && (
          <Button icon="play" onClick={() => resuming.open(true)}>
            <Trans>Resume payments</Trans>
          </Button>
        )
      }
    >
      <NextStep of={cohortSteps} state="stopped" />
      {resuming.item && (
        <ResumeDialog cohort={cohort} left={progress?.round?.pending ?? 0} onClose={resuming.close} />
      )}
    </Notice>
  )
}

/** Says that no payment was settled for too long, what that means, and what a person can do. */
function NotProgressing({ cohort, progress }: Props) {
  const { t } = useLingui()
  if (!progress?.not_progressing_since) return null
  const agency = cohort.transfer_agency.name
  const since = formatDateTime(progress.not_progressing_since)
  return (
    <Notice tone="bad" icon="alert" title={t`Payments are not progressing.`}>
      <Trans>
        {agency} has settled nothing since {since}. The agency is asked again and again, and nothing is sent
        twice.
      </Trans>{' '}
      <NextStep of={cohortSteps} state="not_progressing" onlyNext />
    </Notice>
  )
}
