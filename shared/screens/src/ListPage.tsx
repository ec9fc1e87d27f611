import type { RenderLink } from '@portal/ui/link'
import { PageHead } from '@portal/ui/Page'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

/** How links of `@portal/ui` are drawn inside a module: they stay in the page. */
export const pageLink: RenderLink = ({ href, ...rest }) => (
  // Another view of the same list leaves the page where it is.
  <Link to={href} preventScrollReset={href.startsWith('?')} {...rest} />
)

/** A page above this one. */
export type Back = { to: string; label: ReactNode }

type Props = {
  title: ReactNode
  /** One sentence of what the page is for. */
  description?: ReactNode
  /** A pill beside the title. */
  status?: ReactNode
  /** Where this page was reached from; of several the nearest first. */
  back?: Back | readonly Back[] | undefined
  /** At the right: one primary button at most, last. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every page: where back, title, what it is for, what may be done, then the content. */
export function ListPage({ title, description, status, back, actions, children }: Props) {
  return (
    <>
      <PageHead
        title={title}
        text={description}
        status={status}
        back={back && [back].flat().map(({ to, label }) => ({ href: to, label }))}
        actions={actions}
        renderLink={pageLink}
      />
      {children}
    </>
  )
}
