import { type PortalModule, useLingui } from '@portal/sdk'
import type { ComponentType } from 'react'
import { type RouteObject, useLoaderData, useLocation, useNavigate } from 'react-router-dom'
import { addCatalogs } from '../language.ts'
import { LazyState } from '../platform/lazy-states.tsx'
import { PageSkeleton } from '../platform/PageSkeleton.tsx'
import { isOtherPlace, openPlace } from '../platform/router.ts'
import { screenStyles } from '../platform/screen-styles.ts'
import type { ShellPath } from './addresses.ts'

type Fetch = () => Promise<{ default: ComponentType }>

/** The words of all of them in one file per language: each file of its own costs the entry more than its words do. */
const words: PortalModule['messages'] = {
  en: () => [
    import(/* webpackChunkName: "pages-en" */ './home/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './attendance/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './messages/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './survey/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './sync/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './modules/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './system/locales/en.ts'),
    import(/* webpackChunkName: "pages-en" */ './profile/locales/en.ts'),
  ],
  fr: () => [
    import(/* webpackChunkName: "pages-fr" */ './home/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './attendance/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './messages/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './survey/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './sync/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './modules/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './system/locales/fr.ts'),
    import(/* webpackChunkName: "pages-fr" */ './profile/locales/fr.ts'),
  ],
}

/** One entry for each address of `addresses.ts`; its words are a catalog of its folder, listed above. */
const pages: Record<ShellPath, Fetch> = {
  '/home': () => import(/* webpackChunkName: "home" */ './home/HomePage.tsx'),
  '/home/attendance': () => import(/* webpackChunkName: "attendance" */ './attendance/AttendancePage.tsx'),
  '/home/attendance/import': () =>
    import(/* webpackChunkName: "imports" */ './attendance/ImportAttendancePage.tsx'),
  '/home/messages': () => import(/* webpackChunkName: "messages" */ './messages/MessagesPage.tsx'),
  '/home/records': () => import(/* webpackChunkName: "imports" */ './modules/ImportRecordsPage.tsx'),
  '/home/survey': () => import(/* webpackChunkName: "survey" */ './survey/SurveyPage.tsx'),
  '/home/reports': () => import(/* webpackChunkName: "modules" */ './modules/ReportsPage.tsx'),
  '/admin/sync': () => import(/* webpackChunkName: "sync" */ './sync/SyncPage.tsx'),
  '/admin/modules': () => import(/* webpackChunkName: "modules" */ './modules/ModulesPage.tsx'),
  '/admin/system': () => import(/* webpackChunkName: "system" */ './system/SystemPage.tsx'),
  '/profile': () => import(/* webpackChunkName: "profile" */ './ProfilePage.tsx'),
}

/**
 * The shell's own pages as routes, each in a chunk of its own like every page of a module. The loader fetches it, because
 * the router caches the result of `lazy`: a page that failed to load once would stay failed until the document is reloaded.
 */
export const shellRoutes: RouteObject[] = Object.entries(pages).map(([path, fetch]) => ({
  path,
  caseSensitive: true,
  Component: FetchedPage,
  loader: async (to) => {
    const [page] = await Promise.all([fetch(), screenStyles(), addCatalogs(words), openPlace(to)])
    return page.default
  },
  shouldRevalidate: isOtherPlace,
  errorElement: <Stopped />,
  hydrateFallbackElement: <PageSkeleton />,
}))

function FetchedPage() {
  // A change of language renders everything again.
  useLingui()
  const Page = useLoaderData() as ComponentType
  return <Page />
}

/** Opens a page again that failed to load or to render. */
function Stopped() {
  const here = useLocation()
  const navigate = useNavigate()
  return (
    <LazyState
      draw={(states) => <states.PageCrash onRetry={() => void navigate(here, { replace: true })} />}
      otherwise={<PageSkeleton />}
    />
  )
}
