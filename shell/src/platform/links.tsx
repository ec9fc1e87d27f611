import type { RenderLink } from '@portal/ui/link'
import type { MouseEvent } from 'react'
import { Link } from 'react-router-dom'
import { prefetch } from './place.ts'
import { navigate } from './tab-router.ts'

/** Links of `@portal/ui` inside the portal. */
export const renderLink: RenderLink = ({ href, ...rest }) => <Link to={href} {...rest} />

/** Prefetches a page when somebody points at its link, which saves a round trip. */
export function prefetchLinks(): void {
  const look = ({ target }: Event) => {
    const link = target instanceof Element && target.closest('a')
    if (link && link.origin === window.location.origin) prefetch(link.pathname)
  }
  document.addEventListener('pointerover', look, { passive: true })
  document.addEventListener('focusin', look)
}

/** Follows plain links of a page inside the portal; files, calls and other origins are the browser's. */
export function followInside(event: MouseEvent<HTMLElement>): void {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = (event.target as Element).closest('a')
  if (!link?.href || link.target || link.hasAttribute('download')) return
  const { origin, pathname, search, hash } = new URL(link.href)
  const isFile = /^\/(api|assets|modules|external)\//.test(pathname) || /\.[a-z0-9]+$/i.test(pathname)
  if (origin !== window.location.origin || isFile || pathname === '/' || pathname === '/login') return
  if (pathname === window.location.pathname && hash) return
  event.preventDefault()
  navigate({ pathname, search, hash })
}
