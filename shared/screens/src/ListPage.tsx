import { Link } from '@portal/sdk'
import { Icon } from '@portal/ui/Icon'
import type { ReactNode } from 'react'

type Props = {
  title: ReactNode
  /** One sentence of what the page is for. */
  description?: ReactNode
  /** A pill beside the title. */
  status?: ReactNode
  /** Where this page was reached from. */
  back?: { to: string; label: ReactNode }
  /** At the right: one primary button at most. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every page: where back, title, what it is for, what may be done, then the content. */
export function ListPage({ title, description, status, back, actions, children }: Props) {
  return (
    <div className="page">
      <header className="page-head">
        <div className="titles">
          {back && (
            <Link className="back" to={back.to}>
              <Icon name="back" size={16} />
              {back.label}
            </Link>
          )}
          <div className="title-line">
            <h1>{title}</h1>
            {status}
          </div>
          {description && <p>{description}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
