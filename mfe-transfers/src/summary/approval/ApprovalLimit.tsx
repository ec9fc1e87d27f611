import { Trans, useLingui } from '@lingui/react/macro'
import type { LimitOfApproval } from '@portal/contracts/approval-limits'
import { moneyText } from '@portal/i18n/format'
import { Notice } from '@portal/ui/Notice'
import './words.ts'

/** How much the reader may approve at once, and who else may if this is more. Nothing without a limit. */
export function ApprovalLimit({ of }: { of: LimitOfApproval | undefined }) {
  const { t } = useLingui()
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
