import type { PortalModule } from '@portal/sdk'
import { type ComponentType, use } from 'react'
import { addCatalogs } from '../language.ts'
import { screenStyles } from '../platform/screen-styles.ts'
import type { ShellPath } from './addresses.ts'

type Fetch = () => Promise<{ default: ComponentType }>

/** A page of the shell's own in a chunk of its own, like every page of a module. */
function late(fetch: Fetch) {
  let fetched: Promise<ComponentType> | undefined
  let Ready: ComponentType | undefined
  const begin = () => {
    if (!fetched) {
      fetched = Promise.all([fetch(), screenStyles(), addCatalogs(words)]).then(
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

/** The words of all of them in one file per language: each file of its own costs the entry more than its words do. */
const words: PortalModule['messages'] = {
  en: () => [
    import(/* webpackChunkName: "pages-en" */ './home/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './attendance/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './messages/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './survey/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './sync/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './modules/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './profile/locales/en.ts'),
  ],
  fr: () => [
    import(/* webpackChunkName: "pages-fr" */ './home/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './attendance/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './messages/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './survey/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './sync/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './modules/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './profile/locales/fr.ts'),
  ],
}

/** One entry for each address of `addresses.ts`; its words are a catalog of its folder, listed above. */
const pages: Record<ShellPath, ReturnType<typeof late>> = {
  '/home': late(() => import(/* webpackChunkName: "home" */ './home/HomePage.tsx')),
  '/home/attendance': late(
    () => import(/* webpackChunkName: "attendance" */ './attendance/AttendancePage.tsx'),
  ),
  '/home/attendance/import': late(
    () => import(/* webpackChunkName: "attendance-import" */ './attendance/ImportAttendancePage.tsx'),
  ),
  '/home/messages': late(() => import(/* webpackChunkName: "messages" */ './messages/MessagesPage.tsx')),
  '/home/survey': late(() => import(/* webpackChunkName: "survey" */ './survey/SurveyPage.tsx')),
  '/admin/sync': late(() => import(/* webpackChunkName: "sync" */ './sync/SyncPage.tsx')),
  '/admin/modules': late(() => import(/* webpackChunkName: "modules" */ './modules/ModulesPage.tsx')),
  '/gallery': late(() => import(/* webpackChunkName: "gallery" */ './gallery/GalleryPage.tsx')),
  '/profile': late(() => import(/* webpackChunkName: "profile" */ './ProfilePage.tsx')),
}

const isShellPath = (pathname: string): pathname is ShellPath => Object.hasOwn(pages, pathname)

/** The shell's own page at an address, if there is one. */
export const shellPageAt = (pathname: string): ComponentType | undefined =>
  isShellPath(pathname) ? pages[pathname].LatePage : undefined

/** Begins fetching the page of an address, if the shell has one there. */
export const fetchShellPage = (pathname: string): Promise<unknown> | undefined =>
  isShellPath(pathname) ? pages[pathname].begin() : undefined
