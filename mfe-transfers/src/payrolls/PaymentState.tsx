import { Trans, useLingui } from '@lingui/react/macro'
import type { RoundPayment } from '@portal/contracts/transfers/payrolls'
import { StatusPill } from '@portal/ui/StatusPill'
import { PaymentPill } from '../PaymentPill.tsx'

/** The agency's own words, by which its staff find the failure. */
export function AgencyCode({ code }: { code: string }) {
  return (
    <div className="small muted">
      <Trans>
        Agency’s code: <span className="mono">{code}</span>
      </Trans>
    </div>
  )
}

/** Where a payment stands, why, and what comes next. */
export function PaymentState({ of }: { of: RoundPayment }) {
  const { t } = useLingui()
  const { state, status, failure_reason, write_off_reason, next_step, agency_code, refused_correction } = of
  if (state === 'written_off')
    return (
      <div>
        <StatusPill tone="bad" icon="x">{t`Written off`}</StatusPill>
        <div className="small muted">{write_off_reason}</div>
      </div>
    )
  return (
    <div>
      <PaymentPill
        strict
        status={failure_reason === 'withheld' ? 'withheld' : status}
        reason={failure_reason}
      />
      {agency_code && <AgencyCode code={agency_code} />}
      {[
        'failed',
        'doubted',
        'paid_after_all',
        'correcting',
        'held',
        'withheld',
        'unknown',
        'overdue',
        'settling',
      ].includes(state) && <div className="small muted">{next_step}</div>}
      {refused_correction && <div className="small muted">{refused_correction}</div>}
    </div>
  )
}
