import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** One event: what happened, when, what was said, by whom. */
export type TimelineEvent = {
  key: string | number
  icon: IconName
  tone?: 'info' | 'good' | 'bad'
  title: ReactNode
  when: ReactNode
  text?: ReactNode
  by?: ReactNode
}

/** Events one under the other, joined by a line. */
export function Timeline({ events }: { events: TimelineEvent[] }) {
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={event.key}>
          <span className={`node ${event.tone ?? ''}`.trim()}>
            <Icon name={event.icon} size={16} />
          </span>
          <div>
            <div className="when">
              <span className="strong">{event.title}</span>
              <span className="small muted">{event.when}</span>
            </div>
            {event.text && <p className="pre-line">{event.text}</p>}
            {event.by && <p className="small muted">{event.by}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** A document of a list: name, kind and size, and what may be done with it. */
export function DocumentRow({
  name,
  note,
  icon = 'file',
  action,
}: {
  name: ReactNode
  note?: ReactNode
  icon?: IconName
  action?: ReactNode
}) {
  return (
    <div className="doc">
      <span className="thumb">
        <Icon name={icon} />
      </span>
      <span>
        <b>{name}</b>
        {note && <small>{note}</small>}
      </span>
      {action}
    </div>
  )
}
