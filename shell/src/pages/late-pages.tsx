import type { PortalModule } from '@portal/sdk'
import { type ComponentType, use } from 'react'
import { addCatalogs } from '../language.ts'
import { screenStyles } from '../platform/screen-styles.ts'

/** A page of the shell's own in a chunk of its own, like every page of a module. */
function late(fetch: () => Promise<{ default: ComponentType }>) {
  let fetched: Promise<ComponentType> | undefined
  let Ready: ComponentType | undefined
  const begin = () => {
    if (!fetched) {
      fetched = Promise.all([fetch(), screenStyles()]).then(([page]) => (Ready = page.default))
      // What did not come is asked for again at the next attempt, not for ever within this one.
      fetched.catch(() => setTimeout(() => (fetched = undefined)))
    }
    return fetched
  }
  function LatePage() {
    // Even a promise that is kept makes `use` wait once, and a skeleton shown once stays for 300 ms.
    const Page = Ready ?? use(begin())
    return <Page />
  }
  return { begin, LatePage }
}

/** The profile has more words than the whole frame. */
const profileWords: PortalModule['messages'] = {
  en: () => [import(/* webpackChunkName: "profile-en" */ './profile/locales/en.ts')],
  fr: () => [import(/* webpackChunkName: "profile-fr" */ './profile/locales/fr.ts')],
}

const home = late(() => import(/* webpackChunkName: "home" */ './HomePage.tsx'))
const profile = late(async () => {
  const page = import(/* webpackChunkName: "profile" */ './ProfilePage.tsx')
  await addCatalogs(profileWords)
  return page
})

/** The first page after sign-in. */
export const HomeRoute = home.LatePage
/** The profile, which brings the form library along. */
export const ProfileRoute = profile.LatePage

/** Begins fetching the page of an address, if the shell has one there. */
export function fetchShellPage(pathname: string): Promise<unknown> | undefined {
  if (pathname === '/home') return home.begin()
  if (pathname === '/profile') return profile.begin()
}
