import { useLingui } from '@lingui/react/macro'
import type { RoundPayment } from '@portal/contracts/payrolls'
import { StatusPill } from '@portal/ui/StatusPill'
import { PaymentPill } from '../PaymentPill.tsx'

/** Where a payment stands, why, and what comes next. */
export function PaymentState({ of }: { of: RoundPayment }) {
  const { t } = useLingui()
  const { state, status, failure_reason, write_off_reason, next_step } = of
  if (state === 'written_off')
    return (
      <div>
        <StatusPill tone="neutral" icon="x">{t`Written off`}</StatusPill>
        <div className="small muted">{write_off_reason}</div>
      </div>
    )
  return (
    <div>
      <PaymentPill strict status={status} reason={failure_reason} />
      {['failed', 'doubted', 'correcting', 'unknown'].includes(state) && (
        <div className="small muted">{next_step}</div>
      )}
    </div>
  )
}
