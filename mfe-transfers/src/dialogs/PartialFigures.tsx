import { Trans } from '@lingui/react/macro'
import { Notice } from '@portal/ui/Notice'
import './words.ts'

/** Says that period and CAP narrow the sums themselves, and not only the cohorts that are listed. */
export function PartialFigures({ cap, period }: { cap: string | undefined; period: boolean }) {
  if (!cap && !period) return null
  return (
    <Notice>
      {!cap ? (
        <Trans>The amounts are those of rounds due in the chosen period.</Trans>
      ) : period ? (
        <Trans>
          The amounts are those of payments for students of {cap}, in rounds due in the chosen period.
        </Trans>
      ) : (
        <Trans>The amounts are those of payments for students of {cap}.</Trans>
      )}
    </Notice>
  )
}
