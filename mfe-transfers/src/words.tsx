import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { Agency } from '@portal/contracts/transfers/agencies'
import type { CohortStatus } from '@portal/contracts/transfers/cohorts'
import { StatusPill } from '@portal/ui/StatusPill'
import type { ReactNode } from 'react'

/** Green when active, red otherwise. */
export function ActivePill({ status }: { status: 'active' | 'inactive' }) {
  const { t } = useLingui()
  return status === 'active' ? (
    <StatusPill tone="good">{t`Active`}</StatusPill>
  ) : (
    <StatusPill tone="bad">{t`Inactive`}</StatusPill>
  )
}

/**
 * The labels of Money 5.10. Pending and rejected are both "not approved", so which of the two it is stands beside it; so
 * does that a cohort is stopped. The French labels say which of the two it is, and need no note.
 */
export function CohortPill({
  status,
  stopped,
  closed,
}: {
  status: CohortStatus
  stopped?: boolean
  closed?: boolean
}) {
  const { t } = useLingui()
  if (closed)
    return (
      <StatusPill tone="neutral" icon="lock">
        {t({ message: 'CLOSED', context: 'of a cohort' })}
      </StatusPill>
    )
  if (status === 'error') {
    return (
      <StatusPill tone="bad" icon="alert">
        {t`PAYMENT ERROR`}
      </StatusPill>
    )
  }
  if (status === 'approved' && !stopped) return <StatusPill tone="good">{t`APPROVED`}</StatusPill>
  if (status === 'approved') {
    return (
      <Noted note={t({ message: 'stopped', context: 'of a cohort' })}>
        <StatusPill tone="waiting" icon="stop">
          {t`APPROVED`}
        </StatusPill>
      </Noted>
    )
  }
  const rejected = status === 'rejected'
  const label = rejected
    ? t({ message: 'NOT APPROVED', context: 'rejected' })
    : t({ message: 'NOT APPROVED', context: 'pending' })
  const note = rejected
    ? t({ message: 'rejected', context: 'of a cohort' })
    : t({ message: 'to decide', context: 'of a cohort' })
  const pill = (
    <StatusPill tone="bad" icon={rejected ? 'bad' : 'clock'}>
      {label}
    </StatusPill>
  )
  return sameWords(label, note) ? pill : <Noted note={note}>{pill}</Noted>
}

const sameWords = (label: string, note: string) => label.toLowerCase() === note.toLowerCase()

const Noted = ({ note, children }: { note: string; children: ReactNode }) => (
  <span className="pill-note">
    {children} <span className="small muted nowrap">{note}</span>
  </span>
)

/** Somebody may approve it now, for the first time or again after a payment error. */
export const waitsForApproval = ({ status }: { status: CohortStatus }) =>
  status === 'pending' || status === 'error'

/** Cohort statuses as chips above a list, in the order of interest. Approved cohorts that were closed are counted as closed only. */
export const cohortChips = () => [
  { value: 'pending', label: t`To approve` },
  { value: 'approved', label: t`Approved` },
  { value: 'error', label: t`Payment error` },
  { value: 'rejected', label: t`Rejected` },
  { value: 'closed', label: t({ message: 'Closed', context: 'of cohorts' }) },
]

/** First and last name. */
export const fullName = (person: { first_name: string; last_name: string }) =>
  `${person.first_name} ${person.last_name}`

/** The two countries of the programme. */
export const countryName = (country: Agency['country']) => (country === 'ml' ? t`Mali` : t`Senegal`)

/** What kind of agency it is. */
export const agencyType = (type: Agency['type']) => (type === 'bank' ? t`Bank` : t`Mobile money`)
