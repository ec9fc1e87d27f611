import { useLingui } from '@lingui/react/macro'
import type { CaseEvent } from '@portal/contracts/cases'
import { Blank } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { Count, DateText } from '@portal/ui/Money'
import { Timeline } from '@portal/ui/Timeline'
import { actOf, fullName } from '../words.tsx'

/** What happened to a case, newest first. */
export function Events({ events }: { events: CaseEvent[] }) {
  const { t } = useLingui()
  return (
    <Card title={t`Event activities`} note={events.length > 0 && <Count value={events.length} />} padded>
      {events.length === 0 && <Blank icon="clock" title={t`No event activities yet`} />}
      <Timeline
        events={events.map((event) => {
          const { label, icon, tone } = actOf(event.act)
          return {
            key: event.id,
            icon,
            ...(tone && { tone }),
            title: event.channel && event.act === 'activity' ? `${label} · ${event.channel.name}` : label,
            when: <DateText iso={event.created_at} time />,
            text: event.note,
            by: event.user ? fullName(event.user) : event.act === 'expired' ? t`Portal` : t`Consultant`,
          }
        })}
      />
    </Card>
  )
}
