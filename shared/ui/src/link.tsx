import type { MouseEvent, ReactElement, ReactNode } from 'react'

/** What a link of this package needs; the shell answers with its router's link, others with a plain one. */
export type LinkProps = {
  href: string
  className?: string
  children?: ReactNode
  title?: string
  onClick?: (event: MouseEvent<HTMLAnchorElement>) => void
  'aria-current'?: 'page' | 'true'
  'aria-label'?: string
  'data-label'?: string
}

/** How a piece draws its links. */
export type RenderLink = (props: LinkProps) => ReactElement

/** An ordinary link. */
export const plainLink: RenderLink = (props) => <a {...props} />

/** Whether a click means "here", and not a new tab or window. */
export const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/** A click handler that keeps plain clicks on the page and leaves the others to the browser. */
export function follow(onFollow: (() => void) | undefined) {
  if (!onFollow) return undefined
  return (event: MouseEvent<HTMLAnchorElement>) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    onFollow()
  }
}
