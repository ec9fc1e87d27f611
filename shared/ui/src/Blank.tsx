import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

type BlankProps = {
  /** Where it is a whole page, its title is the page's heading. */
  heading?: 'h1' | 'h2'
  icon?: IconName
  failed?: boolean
  title: ReactNode
  text?: ReactNode
  actions?: ReactNode
}

/** The empty or failed state of a page, card or table. */
export function Blank({ heading: Title = 'h2', icon, failed, title, text, actions }: BlankProps) {
  return (
    <div className="blank" role={failed ? 'alert' : undefined}>
      <span className={failed ? 'glyph bad' : 'glyph'}>
        <Icon name={icon ?? (failed ? 'alert' : 'inbox')} />
      </span>
      <Title>{title}</Title>
      {text && <p>{text}</p>}
      {actions && <div className="actions">{actions}</div>}
    </div>
  )
}

/** A grey line where a text will stand. */
export const Skeleton = ({ width = '100%', height }: { width?: string | number; height?: number }) => (
  <span className="sk" style={{ width, height }} />
)
