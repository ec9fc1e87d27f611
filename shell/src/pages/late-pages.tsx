import type { PortalModule } from '@portal/sdk'
import { type ComponentType, use } from 'react'
import { addCatalogs } from '../language.ts'
import { screenStyles } from '../platform/screen-styles.ts'
import type { ShellPath } from './addresses.ts'

type Fetch = () => Promise<{ default: ComponentType }>

/** A page of the shell's own in a chunk of its own, like every page of a module. */
function late(fetch: Fetch, words?: PortalModule['messages']) {
  let fetched: Promise<ComponentType> | undefined
  let Ready: ComponentType | undefined
  const begin = () => {
    if (!fetched) {
      fetched = Promise.all([fetch(), screenStyles(), words && addCatalogs(words)]).then(
        ([page]) => (Ready = page.default),
      )
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

/** One entry for each address of `addresses.ts`; a page with many words has them in a catalog of its own. */
const pages: Record<ShellPath, ReturnType<typeof late>> = {
  '/home': late(() => import(/* webpackChunkName: "home" */ './home/HomePage.tsx'), {
    en: () => [import(/* webpackChunkName: "home-en" */ './home/locales/en.ts')],
    fr: () => [import(/* webpackChunkName: "home-fr" */ './home/locales/fr.ts')],
  }),
  '/home/attendance': late(
    () => import(/* webpackChunkName: "attendance" */ './attendance/AttendancePage.tsx'),
    {
      en: () => [import(/* webpackChunkName: "attendance-en" */ './attendance/locales/en.ts')],
      fr: () => [import(/* webpackChunkName: "attendance-fr" */ './attendance/locales/fr.ts')],
    },
  ),
  '/home/attendance/import': late(
    () => import(/* webpackChunkName: "attendance-import" */ './attendance/ImportAttendancePage.tsx'),
    {
      en: () => [import(/* webpackChunkName: "attendance-en" */ './attendance/locales/en.ts')],
      fr: () => [import(/* webpackChunkName: "attendance-fr" */ './attendance/locales/fr.ts')],
    },
  ),
  '/home/messages': late(() => import(/* webpackChunkName: "messages" */ './messages/MessagesPage.tsx'), {
    en: () => [import(/* webpackChunkName: "messages-en" */ './messages/locales/en.ts')],
    fr: () => [import(/* webpackChunkName: "messages-fr" */ './messages/locales/fr.ts')],
  }),
  '/home/survey': late(() => import(/* webpackChunkName: "survey" */ './survey/SurveyPage.tsx'), {
    en: () => [import(/* webpackChunkName: "survey-en" */ './survey/locales/en.ts')],
    fr: () => [import(/* webpackChunkName: "survey-fr" */ './survey/locales/fr.ts')],
  }),
  '/admin/sync': late(() => import(/* webpackChunkName: "sync" */ './sync/SyncPage.tsx'), {
    en: () => [import(/* webpackChunkName: "sync-en" */ './sync/locales/en.ts')],
    fr: () => [import(/* webpackChunkName: "sync-fr" */ './sync/locales/fr.ts')],
  }),
  '/profile': late(() => import(/* webpackChunkName: "profile" */ './ProfilePage.tsx'), {
    en: () => [import(/* webpackChunkName: "profile-en" */ './profile/locales/en.ts')],
    fr: () => [import(/* webpackChunkName: "profile-fr" */ './profile/locales/fr.ts')],
  }),
}

const isShellPath = (pathname: string): pathname is ShellPath => Object.hasOwn(pages, pathname)

/** The shell's own page at an address, if there is one. */
export const shellPageAt = (pathname: string): ComponentType | undefined =>
  isShellPath(pathname) ? pages[pathname].LatePage : undefined

/** Begins fetching the page of an address, if the shell has one there. */
export const fetchShellPage = (pathname: string): Promise<unknown> | undefined =>
  isShellPath(pathname) ? pages[pathname].begin() : undefined
