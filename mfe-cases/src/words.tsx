import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { Case, CaseAct, Referral } from '@portal/contracts/cases'
import { i18n } from '@portal/sdk'
import type { IconName } from '@portal/ui/Icon'
import { StatusPill } from '@portal/ui/StatusPill'

/** New and open green, waiting for somebody outside blue, rejected red; a resolved case asks for nothing more (Cases 1.4). */
export function CasePill({ status }: { status: Case['status'] }) {
  const { t } = useLingui()
  if (status === 'new')
    return <StatusPill tone="good">{t({ message: 'NEW', context: 'of a case' })}</StatusPill>
  if (status === 'open')
    return <StatusPill tone="good">{t({ message: 'OPEN', context: 'of a case' })}</StatusPill>
  if (status === 'in_progress') return <StatusPill tone="info">{t`AWAITING EXTERNAL INPUT`}</StatusPill>
  if (status === 'resolved') {
    return (
      <StatusPill tone="neutral" icon="check">
        {t`RESOLVED`}
      </StatusPill>
    )
  }
  return (
    <StatusPill tone="bad" icon="bad">
      {t({ message: 'REJECTED', context: 'of a case' })}
    </StatusPill>
  )
}

/** A case that should be decided by now, in the list and on its page. */
export function OverduePill() {
  const { t } = useLingui()
  return <StatusPill tone="bad" icon="clock">{t`Overdue`}</StatusPill>
}

/** Where a consultation stands: awaited, not delivered, answered, declined, withdrawn, expired. */
export function ReferralPill({ referral }: { referral: Referral }) {
  const { t } = useLingui()
  if (referral.rejected_at && !referral.resolved_at)
    return <StatusPill tone="bad">{t`REQUEST REJECTED`}</StatusPill>
  if (referral.resolved_at) return <StatusPill tone="good">{t`ANSWERED`}</StatusPill>
  if (referral.revoked_at) return <StatusPill tone="neutral">{t`WITHDRAWN`}</StatusPill>
  if (referral.expired_at) return <StatusPill tone="neutral">{t`EXPIRED`}</StatusPill>
  if (referral.undelivered)
    return (
      <StatusPill tone="bad" icon="bad">
        {t`NOT DELIVERED`}
      </StatusPill>
    )
  return <StatusPill tone="info">{t`AWAITING INPUT`}</StatusPill>
}

/** Open: neither answered, declined, withdrawn nor expired. */
export const isAwaited = (referral: Referral) =>
  !(referral.resolved_at || referral.rejected_at || referral.revoked_at || referral.expired_at)

/** The expert did not get the letter with the link, and the request is still open. */
export const isUndelivered = (referral: Referral) => isAwaited(referral) && referral.undelivered !== null

const priorities = {
  low_1_month: msg`Low - 1 Month`,
  medium_1_week: msg`Medium - 1 Week`,
  high_1_day: msg`High - 1 Day`,
}
/** How soon somebody has to look at it (Cases 1.3). */
export const priorityName = (priority: Case['priority']) => i18n._(priorities[priority])
/** The choices of a form or a filter. */
export const priorityOptions = () =>
  (Object.keys(priorities) as Case['priority'][]).map((value) => ({ value, label: priorityName(value) }))

const salutations = { mr: msg`Mr`, mrs: msg`Mrs`, miss: msg`Miss`, prof: msg`Prof`, dr: msg`Dr` }
/** How a person is addressed. */
const salutationName = (salutation: Referral['salutation']) => i18n._(salutations[salutation])
/** The choices of the referral form. */
export const salutationOptions = () =>
  (Object.keys(salutations) as Referral['salutation'][]).map((value) => ({
    value,
    label: salutationName(value),
  }))

type Act = { label: ReturnType<typeof msg>; icon: IconName; tone?: 'info' | 'good' | 'bad' }
const acts: Record<CaseAct, Act> = {
  filed: { label: msg`Case filed`, icon: 'plus' },
  document: { label: msg`Document uploaded`, icon: 'clip' },
  activity: { label: msg`Activity recorded`, icon: 'message' },
  assigned: { label: msg`Case assigned`, icon: 'user' },
  referred: { label: msg`External input requested`, icon: 'send', tone: 'info' },
  revoked: { label: msg`External input withdrawn`, icon: 'x' },
  answered: { label: msg`External input received`, icon: 'message', tone: 'info' },
  declined: { label: msg`Request rejected by the consultant`, icon: 'bad', tone: 'bad' },
  expired: { label: msg`External input expired`, icon: 'clock' },
  resolved: { label: msg`Case resolved`, icon: 'good', tone: 'good' },
  rejected: { label: msg`Case rejected`, icon: 'bad', tone: 'bad' },
}
/** How an event of the history is named and drawn. */
export const actOf = (act: CaseAct) => ({ ...acts[act], label: i18n._(acts[act].label) })

/** First and last name. */
export const fullName = (person: { first_name: string; last_name: string }) =>
  `${person.first_name} ${person.last_name}`

/** Dr Oumar Ballo. */
export const expertName = (referral: Referral) =>
  `${salutationName(referral.salutation)} ${fullName(referral)}`
