import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

type NoticeTone = 'info' | 'good' | 'waiting' | 'bad'
const icons: Record<NoticeTone, IconName> = { info: 'info', good: 'good', waiting: 'alert', bad: 'bad' }

type NoticeProps = {
  tone?: NoticeTone
  icon?: IconName
  title?: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** Read out at once when it appears: for what just went wrong. */
  alert?: boolean
}

/** A tinted message inside a page or dialog: a strong start, the rest of the sentence, what may be done. */
export function Notice({ tone = 'info', icon, title, children, actions, alert }: NoticeProps) {
  return (
    <div className={`notice ${tone === 'info' ? '' : tone}`.trim()} role={alert ? 'alert' : undefined}>
      <Icon name={icon ?? icons[tone]} />
      <div className="pre-line">
        {title && <span className="strong">{title} </span>}
        {children}
      </div>
      {actions && <div className="actions">{actions}</div>}
    </div>
  )
}

/** One thing to check: who or how many, what it means, where to look. */
export type Flag = {
  key: string
  tone: 'waiting' | 'bad' | 'info' | 'good'
  icon?: IconName
  title: ReactNode
  text?: ReactNode
  action?: ReactNode
}

const flagIcons: Record<Flag['tone'], IconName> = { waiting: 'alert', bad: 'bad', info: 'info', good: 'good' }

/** A list of things to check; `framed` inside a dialog, bare inside a card. */
export function Flags({ flags, framed }: { flags: Flag[]; framed?: boolean }) {
  return (
    <ul className={framed ? 'flags framed' : 'flags'}>
      {flags.map((flag) => (
        <li key={flag.key} className={flag.tone}>
          <Icon name={flag.icon ?? flagIcons[flag.tone]} />
          <span className="strong">{flag.title}</span>
          {flag.action ?? <span />}
          {flag.text && <div>{flag.text}</div>}
        </li>
      ))}
    </ul>
  )
}
