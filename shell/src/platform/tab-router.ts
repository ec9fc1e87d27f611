import type { DataRouter, NavigateOptions, To } from 'react-router-dom'

let router: DataRouter | undefined

/** The tab's only router; undefined until it is made. */
export const tabRouter = (): DataRouter | undefined => router

/** Keeps the router that was made for this tab. */
export function keepRouter(made: DataRouter): void {
  router = made
}

/** Goes to a page of the portal, from outside of React. */
export function navigate(to: To, options?: NavigateOptions): void {
  void router?.navigate(to, options)
}
