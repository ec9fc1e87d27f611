import { type ReactNode, useId } from 'react'

type CardProps = {
  title?: ReactNode
  note?: ReactNode
  text?: ReactNode
  actions?: ReactNode
  foot?: ReactNode
  padded?: boolean
  className?: string
  children?: ReactNode
}

/** A bordered plane with an optional head and foot; `padded` gives its content the card's margin. */
export function Card({ title, note, text, actions, foot, padded, className = '', children }: CardProps) {
  const id = useId()
  return (
    // It takes the focus of a button in it that disappears.
    <section tabIndex={-1} className={`card ${className}`.trim()} aria-labelledby={title ? id : undefined}>
      {title && <CardHead id={id} title={title} note={note} text={text} actions={actions} />}
      {padded ? <div className="card-body">{children}</div> : children}
      {foot && <div className="card-foot">{foot}</div>}
    </section>
  )
}

type HeadProps = { id?: string; title: ReactNode; note?: ReactNode; text?: ReactNode; actions?: ReactNode }

/** Title, a muted note beside it, a line of text under it, and what stands at the right. */
export function CardHead({ id, title, note, text, actions }: HeadProps) {
  return (
    <div className="card-head">
      <div className="grow">
        <h2 id={id}>{title}</h2>
        {note && <span className="small muted"> {note}</span>}
        {text && <p>{text}</p>}
      </div>
      {actions}
    </div>
  )
}
