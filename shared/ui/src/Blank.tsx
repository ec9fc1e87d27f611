import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

type BlankProps = {
  icon?: IconName
  failed?: boolean
  title: ReactNode
  text?: ReactNode
  actions?: ReactNode
}

/** The empty or failed state of a page, card or table. */
export function Blank({ icon, failed, title, text, actions }: BlankProps) {
  return (
    <div className="blank" role={failed ? 'alert' : undefined}>
      <span className={failed ? 'glyph bad' : 'glyph'}>
        <Icon name={icon ?? (failed ? 'alert' : 'inbox')} />
      </span>
      <h3>{title}</h3>
      {text && <p>{text}</p>}
      {actions && <div className="actions">{actions}</div>}
    </div>
  )
}

/** A grey line where a text will stand. */
export const Skeleton = ({ width = '100%', height }: { width?: string | number; height?: number }) => (
  <span className="sk" style={{ width, height }} />
)
