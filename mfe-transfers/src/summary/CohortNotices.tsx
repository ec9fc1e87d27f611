import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { CohortSummary } from '@portal/contracts/cohorts'
import { formatDateTime } from '@portal/i18n/format'
import { Notice } from '@portal/ui/Notice'
import { fullName } from '../words.tsx'
import { statusCounts } from './plan.ts'

/** Why a cohort is not being paid: rejected by whom and why, or halted, and what was kept. */
export function CohortNotices({ cohort }: { cohort: CohortSummary }) {
  const { t } = useLingui()
  if (cohort.status === 'rejected') {
    const by = cohort.decided_by ? fullName(cohort.decided_by) : '–'
    const when = formatDateTime(cohort.decided_at)
    return (
      <Notice tone="bad" title={t`Rejected by ${by} on ${when}.`}>
        {cohort.comment ? <q>{cohort.comment}</q> : <Trans>No reason was given.</Trans>}
      </Notice>
    )
  }
  if (cohort.status !== 'error') return null
  const { pending, sending, success, failed, unknown } = statusCounts(cohort)
  return (
    <Notice tone="bad" icon="alert" title={t`Payment error.`}>
      {cohort.error_reason}{' '}
      <Plural
        value={success + failed + unknown}
        one="# payment was handled before;"
        other="# payments were handled before;"
      />{' '}
      <Plural
        value={pending + sending}
        one="only the other # is tried again."
        other="only the other # are tried again."
      />
    </Notice>
  )
}
