import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { Case } from '@portal/contracts/cases'
import { i18n } from '@portal/sdk'
import { StatusPill } from '@portal/ui/StatusPill'

/** New and open green, waiting for somebody outside blue, everything else red (section 4). */
export function CasePill({ status }: { status: Case['status'] }) {
  const { t } = useLingui()
  if (status === 'new') return <StatusPill tone="good">{t`New`}</StatusPill>
  if (status === 'open') return <StatusPill tone="good">{t`Open`}</StatusPill>
  if (status === 'in_progress') return <StatusPill tone="info">{t`Awaiting external input`}</StatusPill>
  return (
    <StatusPill tone="bad" icon={status === 'resolved' ? 'check' : 'bad'}>
      {status === 'resolved' ? t`Resolved` : t({ message: 'Rejected', context: 'of a case' })}
    </StatusPill>
  )
}

const priorities = {
  low_1_month: msg`Low - 1 Month`,
  medium_1_week: msg`Medium - 1 Week`,
  high_1_day: msg`High - 1 Day`,
}

/** How soon somebody has to look at it (section 9). */
export const priorityName = (priority: Case['priority']) => i18n._(priorities[priority])

/** First and last name. */
export const fullName = (person: { first_name: string; last_name: string }) =>
  `${person.first_name} ${person.last_name}`
