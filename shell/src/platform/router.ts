import {
  createBrowserRouter,
  createPath,
  type DataRouter,
  type LoaderFunctionArgs,
  type Location,
  type RouteObject,
  type ShouldRevalidateFunctionArgs,
} from 'react-router-dom'
import { forgetForms } from '../session/dirty.ts'
import { prepare, previousPageTimeout } from './place.ts'
import { isStale } from './stale.ts'
import { keepRouter, tabRouter } from './tab-router.ts'

/**
 * Makes the tab's router and opens the address that the document was loaded for. Its loaders begin at once, so the session
 * must be known by then. Drawing waits a moment for the page, so that a quick one comes without a skeleton.
 */
export async function openRouter(routes: RouteObject[]): Promise<DataRouter> {
  nameEntry()
  const opened = createBrowserRouter(routes)
  keepRouter(opened)
  if (!opened.state.initialized) await Promise.race([initialized(opened), previousPageTimeout()])
  return opened
}

/**
 * Gives the tab's entry of history a key. Without one the router calls it `default`, as it calls every other document
 * that is opened by its address, and the next one would open where this one was scrolled to.
 */
function nameEntry() {
  if (history.state?.key) return
  history.replaceState({ ...history.state, key: Math.random().toString(36).slice(2) }, '')
}

const initialized = (opened: DataRouter) =>
  new Promise<void>((resolve) => {
    const stop = opened.subscribe((state) => {
      if (!state.initialized) return
      stop()
      resolve()
    })
  })

/** The loader of every page. The former page stays on screen while it runs. */
export async function openPlace({ request }: LoaderFunctionArgs): Promise<null> {
  const next = tabRouter()?.state.navigation.location
  if (next && isStale()) return fetchDocument(next)
  await prepare(new URL(request.url).pathname)
  return null
}

/** Another search or fragment is the same page, so that nothing has to be loaded. */
export const isOtherPlace = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean =>
  currentUrl.pathname !== nextUrl.pathname

/**
 * A tab that runs an old build gets the whole document. The router's own `redirectDocument` knows no fragment, and after
 * Back it would assign the address that is there already, which loads nothing. The page before stays until it is replaced.
 */
function fetchDocument(next: Location): Promise<never> {
  forgetForms()
  const { pathname, search, hash } = window.location
  const address = createPath(next)
  if (address === pathname + search + hash) window.location.reload()
  else window.location.assign(address)
  return new Promise(() => {})
}
