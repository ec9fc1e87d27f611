import { HostContext, Navigate, useLingui } from '@portal/sdk'
import { moduleFor } from '@portal/sdk/registry'
import { type ReactNode, Suspense, useMemo } from 'react'
import { PortalFrame } from './frame/PortalFrame.tsx'
import { HomeRoute, ProfileRoute } from './pages/late-pages.tsx'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { PageCrash } from './pages/PageCrash.tsx'
import { makeShellHost } from './platform/host.ts'
import { ModuleBoundary } from './platform/ModuleBoundary.tsx'
import { ModuleOutlet, PageSkeleton } from './platform/ModuleOutlet.tsx'
import { PortalRouter } from './platform/PortalRouter.tsx'
import { places, registry } from './platform/place.ts'
import type { Place } from './platform/places.ts'
import { useSessionStore } from './session/session.ts'

/** The portal behind the sign-in: frame, and in it the page of this address. */
export function PortalRoot() {
  // Everything draws again when the language changes; nothing is mounted anew.
  useLingui()
  return (
    <PortalRouter places={places}>
      {(place) => (
        <PortalFrame pathname={place.pathname}>
          <Suspense fallback={<PageSkeleton />}>
            <Page place={place} />
          </Suspense>
        </PortalFrame>
      )}
    </PortalRouter>
  )
}

function Page({ place }: { place: Place }) {
  const { pathname } = place
  const entry = moduleFor(registry, pathname)
  if (entry) return <ModuleOutlet entry={entry} place={place} />
  if (pathname === '/home')
    return (
      <ShellPage place={place}>
        <HomeRoute />
      </ShellPage>
    )
  if (pathname === '/profile')
    return (
      <ShellPage place={place}>
        <ProfileRoute />
      </ShellPage>
    )
  if (pathname === '/home/') return <Navigate to="/home" replace />
  return <NotFoundPage />
}

/** A page of the shell's own uses the same pieces as a module's, so it gets a host too. */
function ShellPage({ place, children }: { place: Place; children: ReactNode }) {
  const session = useSessionStore((state) => state.session)
  const host = useMemo(() => session && makeShellHost(), [session])
  return (
    <HostContext value={host}>
      <ModuleBoundary place={place.pathname} fallback={(retry) => <PageCrash onRetry={retry} />}>
        {children}
      </ModuleBoundary>
    </HostContext>
  )
}
