import {
  type AnchorHTMLAttributes,
  createContext,
  createElement,
  type MouseEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
} from 'react'
import { addressOf, type To } from './addresses.ts'

/**
 * Router of shell and modules, with the names and meanings of the usual library. That one cannot be shaken below
 * 11 KB, a tenth of what the shell may weigh; of it the portal needs what stands here. History is the shell's. No JSX:
 * the build reads a module's routes as Node does.
 */

/** Where the page is. */
export type Location = { pathname: string; search: string; hash: string; key: string; state: unknown }

/** How one gets elsewhere. */
export type Navigator = {
  push(to: To, state?: unknown): void
  replace(to: To, state?: unknown): void
  go(delta: number): void
}

type Routing = { location: Location; navigator: Navigator; params: Record<string, string | undefined> }
const RoutingContext = createContext<Routing | null>(null)

function useRouting(): Routing {
  const routing = use(RoutingContext)
  if (!routing) throw new Error('Links and addresses need a Router around them.')
  return routing
}

type RouterProps = { location: Location; navigator: Navigator; children: ReactNode }

/** Tells everything inside where it is. The shell has the only one. */
export function Router({ location, navigator, children }: RouterProps): ReactNode {
  const routing = useMemo(() => ({ location, navigator, params: {} }), [location, navigator])
  return createElement(RoutingContext, { value: routing }, children)
}

/** Gives the parameters of its address to a page. */
export function RouteParams({
  params,
  children,
}: {
  params: Routing['params']
  children: ReactNode
}): ReactNode {
  const outer = useRouting()
  const routing = useMemo(() => ({ ...outer, params }), [outer, params])
  return createElement(RoutingContext, { value: routing }, children)
}

/** Where the page is. */
export const useLocation = (): Location => useRouting().location

/** The parameters of `/admin/cohorts/:id`, as text. */
export const useParams = (): Routing['params'] => useRouting().params

/** Goes elsewhere: `navigate('/home')`, `navigate(-1)`. */
export function useNavigate() {
  const { navigator } = useRouting()
  return useCallback(
    (to: To | number, { replace, state }: { replace?: boolean; state?: unknown } = {}) => {
      if (typeof to === 'number') navigator.go(to)
      else if (replace) navigator.replace(to, state)
      else navigator.push(to, state)
    },
    [navigator],
  )
}

type SetSearchParams = (
  next: URLSearchParams | Record<string, string>,
  options?: { replace?: boolean },
) => void

/** What stands behind the `?`, and how to change it. */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const { search } = useLocation()
  const navigate = useNavigate()
  const params = useMemo(() => new URLSearchParams(search), [search])
  const set = useCallback<SetSearchParams>(
    (next, options) => {
      const text = String(new URLSearchParams(next))
      navigate({ search: text && `?${text}` }, options)
    },
    [navigate],
  )
  return [params, set]
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: To
  replace?: boolean
  state?: unknown
}

/** A link that stays on the page. New tabs, other windows and files are the browser's. */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps): ReactNode {
  const navigate = useNavigate()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const apart = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || event.button !== 0 || apart) return
    if (rest.download !== undefined || (rest.target && rest.target !== '_self')) return
    event.preventDefault()
    navigate(to, { replace, state })
  }
  return createElement('a', { ...rest, href: addressOf(to), onClick: follow })
}

/** Goes elsewhere as soon as it is drawn. */
export function Navigate({ to, replace }: { to: To; replace?: boolean }): ReactNode {
  const navigate = useNavigate()
  useEffect(() => navigate(to, { replace }), [navigate, to, replace])
  return null
}
