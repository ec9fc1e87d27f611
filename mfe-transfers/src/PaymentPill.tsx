import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import type { PaymentStatus } from '@portal/contracts/cohorts'
import type { IconName } from '@portal/ui/Icon'
import { StatusPill, type Tone } from '@portal/ui/StatusPill'

const looks: Record<PaymentStatus, { tone: Tone; icon: IconName }> = {
  success: { tone: 'good', icon: 'good' },
  failed: { tone: 'bad', icon: 'bad' },
  unknown: { tone: 'waiting', icon: 'question' },
  sending: { tone: 'info', icon: 'send' },
  pending: { tone: 'neutral', icon: 'clock' },
}

const word = (status: PaymentStatus): string =>
  ({
    success: t`Success`,
    failed: t`Failed`,
    unknown: t`Unknown`,
    sending: t`Sending`,
    pending: t`Pending`,
  })[status]

/** Whether an agency's own word is one of the portal's. */
export const isPaymentStatus = (word: string): word is PaymentStatus => Object.hasOwn(looks, word)

/** Statuses as chips above a list, each with its count where it is known. */
export const paymentChips = (counts: Partial<Record<PaymentStatus, number>> = {}) =>
  (Object.keys(looks) as PaymentStatus[]).map((status) => ({
    value: status,
    label: word(status),
    count: counts[status],
  }))

type Props = {
  status: PaymentStatus
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

/** The agency's reason as a sentence; a reason nobody has met yet as its code. */
export function FailureReason({ reason, strong }: { reason: string; strong?: boolean }) {
  const known: Record<string, string> = {
    account_unknown: t`No account has this number.`,
    account_blocked: t`The account is blocked.`,
    limit_exceeded: t`The amount exceeds the account’s limit.`,
    recipient_unreachable: t`The recipient could not be reached.`,
    invalid_request: t`The agency could not read the order.`,
    refused: t`The agency refused, without a reason.`,
    no_answer: t`The agency has not answered.`,
    not_found: t`The agency does not know the order.`,
    not_found_elsewhere: t`The agency’s address changed, and the new one does not know the order.`,
    not_found_too_late: t`The agency does not know the order, too long after it was sent.`,
    not_found_any_more: t`The agency said that it holds the payment, and does not find it any more.`,
    no_answer_in_time: t`The agency has not answered in time.`,
    answer_too_big: t`The agency’s answer could not be read.`,
    answer_unreadable: t`The agency’s answer could not be read.`,
    id_unreadable: t`The agency’s answer could not be read.`,
    fee_unreadable: t`The agency’s answer could not be read.`,
    key_differs: t`The agency answered about another order.`,
    reference_differs: t`The agency answered about another order.`,
    amount_differs: t`The agency named another amount.`,
    currency_differs: t`The agency named another currency.`,
    recipient_differs: t`The agency named another recipient.`,
    transaction_differs: t`The agency named a transaction that paid somebody else.`,
    funds: t`The paying account was empty for this payment.`,
    http_503: t`The agency was not available.`,
    http_504: t`The agency has not answered in time.`,
    UND_ERR_HEADERS_TIMEOUT: t`The agency has not answered in time.`,
    UND_ERR_BODY_TIMEOUT: t`The agency has not answered in time.`,
  }
  const sentence = known[reason] ?? kindOf(reason)
  if (strong && sentence) return <>{sentence}</>
  return <div className={sentence ? 'small muted' : 'small muted mono'}>{sentence ?? reason}</div>
}

/** Faults that have many codes: of the line (`ECONNRESET`, `UND_ERR_SOCKET`) and of the agency's server (`http_5…`). */
function kindOf(reason: string): string | undefined {
  if (/^http_5\d\d$/.test(reason)) return t`The agency had a fault of its own.`
  return /^(UND_ERR_|E[A-Z]+$)/.test(reason) ? t`The connection to the agency broke off.` : undefined
}
