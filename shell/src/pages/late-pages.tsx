import { type ComponentType, use } from 'react'

/** A page of the shell's own in a chunk of its own, like every page of a module. */
function late(fetch: () => Promise<{ default: ComponentType }>) {
  let fetched: Promise<{ default: ComponentType }> | undefined
  return function LatePage() {
    if (!fetched) {
      fetched = fetch()
      // What did not come is asked for again at the next attempt, not for ever within this one.
      fetched.catch(() => setTimeout(() => (fetched = undefined)))
    }
    const { default: Page } = use(fetched)
    return <Page />
  }
}

/** The first page after sign-in. */
export const HomeRoute = late(() => import(/* webpackChunkName: "home" */ './HomePage.tsx'))

/** The profile, which brings the form library along. */
export const ProfileRoute = late(() => import(/* webpackChunkName: "profile" */ './ProfilePage.tsx'))
