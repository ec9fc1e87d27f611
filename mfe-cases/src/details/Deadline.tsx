import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Case } from '@portal/contracts/cases'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { priorityName } from '../words.tsx'

const dayMs = 86_400_000

/** How long a case may still take, from its priority (section 9); silent once it is decided. */
export function Deadline({ complain }: { complain: Case }) {
  const { t } = useLingui()
  if (complain.status === 'resolved' || complain.status === 'rejected') return null
  const today = Date.parse(new Date().toISOString().slice(0, 10))
  const days = Math.round((Date.parse(complain.due_on) - today) / dayMs)
  const late = Math.abs(days)
  return (
    <Card padded>
      <div className="row">
        <h2 className="grow card-title">{t`Deadline`}</h2>
        {days < 0 && <StatusPill tone="bad">{t`Overdue`}</StatusPill>}
        {days >= 0 && days <= 3 && <StatusPill tone="waiting">{t`Due soon`}</StatusPill>}
      </div>
      <p className="figure">
        {days < 0 ? (
          <Plural value={late} one="# day late" other="# days late" />
        ) : days === 0 ? (
          <Trans>Due today</Trans>
        ) : (
          <Plural value={days} one="# day left" other="# days left" />
        )}
      </p>
      <p className="small muted">
        <Trans>
          Decide by <DateText iso={complain.due_on} />
        </Trans>
      </p>
      <p className="small muted">{priorityName(complain.priority)}</p>
    </Card>
  )
}
