import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { type ListStatus, type PaymentStatus, paymentStatuses } from '@portal/contracts/transfers/cohorts'
import { lazy } from '@portal/screens/lazy'
import type { IconName } from '@portal/ui/Icon'
import { StatusPill, type Tone } from '@portal/ui/StatusPill'

/** Lazy, because few visits show a failure and the sentences weigh as much as a small page. */
export const FailureReason = lazy(() => import('./FailureReason.tsx'), 'FailureReason')

const looks: Record<ListStatus, { tone: Tone; icon: IconName }> = {
  success: { tone: 'good', icon: 'good' },
  failed: { tone: 'bad', icon: 'bad' },
  unknown: { tone: 'waiting', icon: 'question' },
  sending: { tone: 'info', icon: 'send' },
  pending: { tone: 'neutral', icon: 'clock' },
  withheld: { tone: 'waiting', icon: 'stop' },
  written_off: { tone: 'neutral', icon: 'x' },
  rejected: { tone: 'neutral', icon: 'x' },
  erased: { tone: 'neutral', icon: 'x' },
}

/** In the order of interest. */
const offered: PaymentStatus[] = ['success', 'failed', 'unknown', 'sending', 'pending']
const rare: ListStatus[] = ['withheld', 'written_off', 'erased']

const word = (status: ListStatus): string =>
  ({
    success: t`Success`,
    failed: t`Failed`,
    unknown: t`Unknown`,
    sending: t`Sending`,
    pending: t`Pending`,
    withheld: t({ message: 'Withheld', context: 'of a payment' }),
    written_off: t`Written off`,
    rejected: t`List rejected`,
    erased: t`Person erased`,
  })[status]

/** Whether an agency's own word is one of the portal's. */
export const isPaymentStatus = (word: string): word is PaymentStatus =>
  paymentStatuses.some((status) => status === word)

/** Statuses as chips above a list, each with its count where it is known. Rare ones are offered where there are some. */
export const paymentChips = (counts: Partial<Record<ListStatus, number>> = {}) =>
  [...offered, ...rare.filter((status) => counts[status])].map((status) => ({
    value: status,
    label: word(status),
    count: counts[status],
  }))

type Props = {
  status: ListStatus
  reason?: string | null
  /** Payroll entries: success is green, anything else red, told apart by icon and word. */
  strict?: boolean
}

/** Where a payment stands, and why where it went wrong. */
export function PaymentPill({ status, reason, strict }: Props) {
  useLingui()
  const { tone, icon } = looks[status]
  const pill = (
    <StatusPill tone={strict && status !== 'success' ? 'bad' : tone} icon={icon}>
      {word(status)}
    </StatusPill>
  )
  if (!reason) return pill
  return (
    <div>
      {pill}
      <FailureReason reason={reason} />
    </div>
  )
}
