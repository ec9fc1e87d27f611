import { Fragment, type ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { plainLink, type RenderLink } from './link.tsx'

/** A page above this one. */
type Back = { href: string; label: ReactNode }

type HeadProps = {
  title: ReactNode
  /** One sentence: what the page is for. */
  text?: ReactNode
  /** A line above the title, for references and codes. */
  above?: ReactNode
  /** A pill beside the title. */
  status?: ReactNode
  /** Where this page was reached from; of several the nearest first. */
  back?: Back | readonly Back[] | undefined
  /** At the right; the primary one last. */
  actions?: ReactNode
  renderLink?: RenderLink
}

/** Title, purpose and actions of a page. */
export function PageHead({ title, text, above, status, back, actions, renderLink = plainLink }: HeadProps) {
  return (
    <div className="page-head">
      <div className="titles">
        {back && <BackLinks pages={[back].flat()} renderLink={renderLink} />}
        {above && <div className="title-line muted strong">{above}</div>}
        <div className="title-line">
          <h1>{title}</h1>
          {status}
        </div>
        {text && <p>{text}</p>}
      </div>
      {actions && <div className="actions">{actions}</div>}
    </div>
  )
}

function BackLinks({ pages, renderLink }: { pages: readonly Back[]; renderLink: RenderLink }) {
  return (
    <div className="backs">
      {pages.map(({ href, label }, place) => (
        <Fragment key={href}>
          {renderLink({
            href,
            className: 'back',
            children: (
              <>
                {place === 0 && <Icon name="back" size={16} />}
                {label}
              </>
            ),
          })}
        </Fragment>
      ))}
    </div>
  )
}

/** Content beside a narrower panel; one under the other in narrow windows. */
export const Two = ({ children }: { children: ReactNode }) => <div className="two">{children}</div>

/** Pieces one under the other; `close` for a heading and what it heads. */
export const Stack = ({ close, children }: { close?: boolean; children: ReactNode }) => (
  <div className={close ? 'stack close' : 'stack'}>{children}</div>
)

/** The whole frame: navigation at the left, bar above, the page as the skip link's target. */
export function Frame({
  sidebar,
  rail,
  topbar,
  children,
}: {
  sidebar: ReactNode
  /** The navigation is collapsed. */
  rail?: boolean
  topbar: ReactNode
  children: ReactNode
}) {
  return (
    <div className={rail ? 'app has-rail' : 'app'}>
      {sidebar}
      <div className="main">
        {topbar}
        <main className="page" id="page" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}
