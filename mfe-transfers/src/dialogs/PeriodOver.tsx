import { Trans } from '@lingui/react/macro'
import { formatDate } from '@portal/i18n/format'
import { Notice } from '@portal/ui/Notice'
import './words.ts'

/** What is different about payments that are sent after the period of their cohort (Money 4.11). */
export function PeriodOver({ cohort }: { cohort: { to: string; period_over: boolean } }) {
  if (!cohort.period_over) return null
  const to = formatDate(cohort.to)
  return (
    <Notice tone="waiting">
      <Trans>The period ended on {to}: payments that fail cannot be made again, only written off.</Trans>
    </Notice>
  )
}
