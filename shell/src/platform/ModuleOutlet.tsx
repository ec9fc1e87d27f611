import { Trans } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { HostContext, matchPath, RouteParams } from '@portal/sdk'
import type { RegistryModule } from '@portal/sdk/manifest'
import { Skeleton } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Notice } from '@portal/ui/Notice'
import { Suspense, use, useEffect, useMemo, useState } from 'react'
import { NotFoundPage } from '../pages/NotFoundPage.tsx'
import { useSessionStore } from '../session/session.ts'
import { makeHost } from './host.ts'
import { ModuleBoundary } from './ModuleBoundary.tsx'
import { ModuleCrash, ModuleFailure } from './ModuleFailure.tsx'
import { type ReadyPage, retryModule, useViews } from './modules.ts'
import type { Place } from './places.ts'

/** The page of a module at this place. While it is readied inside a transition, the page before stays. */
export function ModuleOutlet({ entry, place }: { entry: RegistryModule; place: Place }) {
  if (place.ready) use(place.ready)
  const { pathname } = place
  const view = useViews((views) => views[pathname])
  const session = useSessionStore((state) => state.session)
  // A new object with every session: what reads it from the context draws again.
  const host = useMemo(() => session && makeHost(entry), [entry, session])
  if (!view || view.status === 'loading') return <Waiting key={pathname} entry={entry} pathname={pathname} />
  if (view.status === 'missing') return <NotFoundPage />
  if (view.status === 'failed')
    return <ModuleFailure entry={entry} failure={view.failure} pathname={pathname} />
  return (
    <HostContext value={host}>
      <ModuleBoundary place={pathname} fallback={(retry) => <ModuleCrash entry={entry} onRetry={retry} />}>
        <Suspense fallback={<PageSkeleton />}>
          <PageAt page={view.page} pathname={pathname} />
        </Suspense>
      </ModuleBoundary>
    </HostContext>
  )
}

function PageAt({ page, pathname }: { page: ReadyPage; pathname: string }) {
  const { path, Component } = page
  const params = useMemo(() => matchPath(path, pathname) ?? {}, [path, pathname])
  return (
    <RouteParams params={params}>
      <Component key={path} />
    </RouteParams>
  )
}

function Waiting({ entry, pathname }: { entry: RegistryModule; pathname: string }) {
  const slow = useAfter(1000)
  const long = useAfter(8000)
  const name = entry.title[currentLocale()]
  return (
    <>
      {slow && (
        <Notice
          tone={long ? 'waiting' : 'info'}
          title={<Trans>{name} is taking longer than usual.</Trans>}
          actions={
            long && (
              <Button small icon="retry" onClick={() => void retryModule(entry, pathname)}>
                <Trans>Try again</Trans>
              </Button>
            )
          }
        >
          <Trans>The connection may be slow. You can stay here or go to another page.</Trans>
        </Notice>
      )}
      <PageSkeleton />
    </>
  )
}

function useAfter(ms: number): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return over
}

/** A page's place before it is there: head, then rows. */
export function PageSkeleton() {
  return (
    <div className="stack page-skeleton" aria-busy="true">
      <Skeleton width={240} height={28} />
      <Skeleton width={420} />
      <Card>
        <div className="card-body stack">
          {[70, 52, 64, 48, 58].map((width) => (
            <Skeleton key={width} width={`${width}%`} />
          ))}
        </div>
      </Card>
    </div>
  )
}
