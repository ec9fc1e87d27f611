import { HostContext, useLingui } from '@portal/sdk'
import { moduleFor } from '@portal/sdk/registry'
import { Suspense, useMemo } from 'react'
import { Navigate, Outlet, type RouteObject, ScrollRestoration, useLocation } from 'react-router-dom'
import { PortalFrame } from './frame/PortalFrame.tsx'
import { mayOpen, type ShellPath } from './pages/addresses.ts'
import { shellRoutes } from './pages/routes.tsx'
import { makeShellHost } from './platform/host.ts'
import { LeaveGuard } from './platform/LeaveGuard.tsx'
import { LazyState } from './platform/lazy-states.tsx'
import { registry } from './platform/live-registry.ts'
import { ModuleOutlet } from './platform/ModuleOutlet.tsx'
import { Notices } from './platform/Notices.tsx'
import { PageBoundary } from './platform/PageBoundary.tsx'
import { PageSkeleton } from './platform/PageSkeleton.tsx'
import { isOtherPlace, openPlace } from './platform/router.ts'
import { useCodesNeeded, useSessionStore } from './session/session.ts'

/**
 * The portal behind the sign-in. The shell's own pages are routes here. The registry says which addresses belong to a
 * module, and the module's routes are read from the build that this tab uses.
 */
export const portalRoutes: RouteObject[] = [
  {
    Component: Portal,
    errorElement: <LazyState draw={(states) => <states.StartFailure />} />,
    children: [
      { Component: ShellPlace, children: shellRoutes },
      {
        path: '*',
        Component: ModulePlace,
        loader: openPlace,
        shouldRevalidate: isOtherPlace,
        hydrateFallbackElement: <PageSkeleton />,
      },
    ],
  },
]

/** The frame, and in it the page of this address. */
function Portal() {
  // A change of language renders everything again and unmounts nothing.
  useLingui()
  const { pathname } = useLocation()
  const codesNeeded = useCodesNeeded()
  return (
    <PortalFrame pathname={pathname}>
      <ScrollRestoration />
      <LeaveGuard />
      <Notices />
      <PageBoundary
        place={pathname}
        fallback={(retry) => <LazyState draw={(states) => <states.PageCrash onRetry={retry} />} />}
      >
        <Suspense fallback={<PageSkeleton />}>
          {codesNeeded && pathname !== '/profile' ? <Navigate to="/profile" replace /> : <Outlet />}
        </Suspense>
      </PageBoundary>
    </PortalFrame>
  )
}

function ModulePlace() {
  useLingui()
  const { pathname } = useLocation()
  const entry = moduleFor(registry, pathname)
  if (entry) return <ModuleOutlet entry={entry} pathname={pathname} />
  return <LazyState draw={(states) => <states.NotFoundPage />} otherwise={<PageSkeleton />} />
}

/** A page of the shell's own uses the same pieces as a module's, so it gets a host too. */
function ShellPlace() {
  useLingui()
  const { pathname, search, hash } = useLocation()
  const session = useSessionStore((state) => state.session)
  const host = useMemo(() => session && makeShellHost(), [session])
  const path = pathname.replace(/\/$/, '')
  if (path !== pathname) return <Navigate to={path + search + hash} replace />
  if (!mayOpen(path as ShellPath, session?.permissions ?? [], registry.modules))
    return <LazyState draw={(states) => <states.DeniedPage />} otherwise={<PageSkeleton />} />
  return (
    <HostContext value={host}>
      <Outlet />
    </HostContext>
  )
}
