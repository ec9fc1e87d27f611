import { Trans, useLingui } from '@lingui/react/macro'
import { moneyText } from '@portal/i18n/format'
import { problemText } from '@portal/screens/problemText'
import { Notice } from '@portal/ui/Notice'
import { Failed } from '@portal/ui/Table'
import type { useApprovalLimit } from './useApprovalLimit.tsx'
import './words.ts'

/** How much the reader may approve at once, and who else may if this is more. Nothing without a limit. */
export function ApprovalLimit({ read }: { read: ReturnType<typeof useApprovalLimit> }) {
  const { t } = useLingui()
  const { data: of, error, refetch } = read
  if (error && !of) return <Failed title={problemText(error)} onRetry={() => void refetch()} />
  if (!of || of.limit === null) return null
  const [limit, needed] = [of.limit, of.needed].map(moneyText)
  return of.barred ? (
    <Notice tone="bad" icon="shield" title={t`This is above your limit.`}>
      {of.barred}
    </Notice>
  ) : (
    <p className="muted">
      <Trans>
        You may approve {limit} at once; this approval is {needed}.
      </Trans>
    </p>
  )
}
