import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Case } from '@portal/contracts/cases'
import { today } from '@portal/i18n/format'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { Bar } from '@portal/ui/Progress'
import { StatusPill } from '@portal/ui/StatusPill'
import { useId } from 'react'
import { OverduePill, priorityName } from '../words.tsx'

const dayMs = 86_400_000

/** How long a case may still take, from its priority (Cases 1.3); silent once it is decided. */
export function Deadline({ complain }: { complain: Case }) {
  const { t } = useLingui()
  const id = useId()
  if (complain.status === 'resolved' || complain.status === 'rejected') return null
  const days = Math.round((Date.parse(complain.due_on) - Date.parse(today())) / dayMs)
  const late = Math.abs(days)
  const filed = Date.parse(complain.created_at)
  const span = Math.max(1, Date.parse(complain.due_on) + dayMs - filed)
  const tone = days < 0 ? 'bad' : days <= 3 ? 'waiting' : 'accent'
  const parts = [{ key: 'used', label: '', count: Math.min(span, Date.now() - filed), tone } as const]
  const priority = priorityName(complain.priority)
  return (
    <Card padded className={days < 0 ? 'deadline bad' : days <= 3 ? 'deadline waiting' : 'deadline'}>
      <div className="row">
        <h2 className="grow" id={id}>{t`Deadline`}</h2>
        {days < 0 && <OverduePill />}
        {days >= 0 && days <= 3 && <StatusPill tone="waiting" icon="clock">{t`Due soon`}</StatusPill>}
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
      <Bar thin parts={parts} total={span} labelledBy={id} />
      <p className="small muted">
        <Trans>
          Decide by <DateText iso={complain.due_on} />
        </Trans>
      </p>
      <p className="small muted">
        <Trans>Priority: {priority}</Trans>
      </p>
    </Card>
  )
}
