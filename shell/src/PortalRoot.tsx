import { HostContext, Navigate, useLingui } from '@portal/sdk'
import { moduleFor } from '@portal/sdk/registry'
import { type ReactNode, Suspense, useMemo } from 'react'
import { PortalFrame } from './frame/PortalFrame.tsx'
import { type ShellPage as Address, type ShellPath, shellPages } from './pages/addresses.ts'
import { shellPageAt } from './pages/late-pages.tsx'
import { makeShellHost } from './platform/host.ts'
import { Late } from './platform/late-states.tsx'
import { ModuleBoundary } from './platform/ModuleBoundary.tsx'
import { ModuleOutlet, PageSkeleton } from './platform/ModuleOutlet.tsx'
import { Notices } from './platform/Notices.tsx'
import { PageBoundary } from './platform/PageBoundary.tsx'
import { PortalRouter } from './platform/PortalRouter.tsx'
import { places, registry } from './platform/place.ts'
import type { Place } from './platform/places.ts'
import { isAllowed } from './platform/registry.ts'
import { useSessionStore } from './session/session.ts'

/** The portal behind the sign-in: frame, and in it the page of this address. */
export function PortalRoot() {
  // Everything draws again when the language changes; nothing is mounted anew.
  useLingui()
  return (
    <PortalRouter places={places}>
      {(place) => (
        <PortalFrame pathname={place.pathname}>
          <Notices />
          <PageBoundary
            place={place.pathname}
            fallback={(retry) => <Late draw={(states) => <states.PageCrash onRetry={retry} />} />}
          >
            <Suspense fallback={<PageSkeleton />}>
              <Page place={place} />
            </Suspense>
          </PageBoundary>
        </PortalFrame>
      )}
    </PortalRouter>
  )
}

function Page({ place }: { place: Place }) {
  const { pathname } = place
  const entry = moduleFor(registry, pathname)
  if (entry) return <ModuleOutlet entry={entry} place={place} />
  const Own = shellPageAt(pathname)
  if (Own)
    return (
      <ShellPage place={place}>
        <Own key={pathname} />
      </ShellPage>
    )
  if (pathname === '/home/') return <Navigate to="/home" replace />
  return <Late draw={(states) => <states.NotFoundPage />} otherwise={<PageSkeleton />} />
}

/** A page of the shell's own uses the same pieces as a module's, so it gets a host too. */
function ShellPage({ place, children }: { place: Place; children: ReactNode }) {
  const session = useSessionStore((state) => state.session)
  const host = useMemo(() => session && makeShellHost(), [session])
  const { permission }: Address = shellPages[place.pathname as ShellPath]
  if (!isAllowed(permission, session?.permissions ?? []))
    return <Late draw={(states) => <states.DeniedPage />} otherwise={<PageSkeleton />} />
  return (
    <HostContext value={host}>
      <ModuleBoundary
        place={place.pathname}
        fallback={(retry) => <Late draw={(states) => <states.PageCrash onRetry={retry} />} />}
      >
        {children}
      </ModuleBoundary>
    </HostContext>
  )
}
