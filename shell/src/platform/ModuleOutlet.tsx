import { Trans } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { HostContext } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useLocation, useRoutes } from 'react-router-dom'
import { useSessionStore } from '../session/session.ts'
import type { BuildRef } from './builds.ts'
import { newReference } from './failures.ts'
import { makeHost } from './host.ts'
import { LazyFrame } from './lazy-frames.tsx'
import { LazyState } from './lazy-states.tsx'
import { ModuleBoundary } from './ModuleBoundary.tsx'
import { buildOf, type ReadyPage, refuse, retryModule, useViews } from './modules.ts'
import { PageSkeleton } from './PageSkeleton.tsx'
import type { Entry } from './registry.ts'
import { reportFault, reportLoad } from './reports.ts'

/** The page of a module at this address, or the reason why it cannot be shown. */
export function ModuleOutlet({ entry, pathname }: { entry: Entry; pathname: string }) {
  const view = useViews((views) => views[pathname])
  if (entry.isolated) return <Framed entry={entry} origin={entry.isolated} />
  const waiting = <Waiting key={pathname} entry={entry} pathname={pathname} />
  if (!view || view.status === 'loading') return waiting
  if (view.status === 'missing')
    return <LazyState draw={(states) => <states.NotFoundPage />} otherwise={<PageSkeleton />} />
  if (view.status === 'failed') {
    const { failure, reference, ref } = view
    const failed = { failure, reference, ref }
    return (
      <LazyState
        draw={(states) => <states.ModuleFailure entry={entry} failed={failed} pathname={pathname} />}
        otherwise={waiting}
      />
    )
  }
  return <Ready entry={entry} page={view.page} of={view.ref} pathname={pathname} />
}

/** An isolated module. What keeps it from opening is said by the portal, as for every module. */
function Framed({ entry, origin }: { entry: Entry; origin: string }) {
  const { pathname } = useLocation()
  const failure = refuse(entry, entry)
  const failed = failure && { failure, reference: '', ref: entry }
  const waiting = <PageSkeleton />
  if (failed)
    return (
      <LazyState
        draw={(states) => <states.ModuleFailure entry={entry} failed={failed} pathname={pathname} />}
        otherwise={waiting}
      />
    )
  return (
    <LazyFrame
      draw={(frames) => <frames.ModuleFrame key={entry.build} entry={entry} origin={origin} />}
      otherwise={waiting}
    />
  )
}

type ReadyProps = { entry: Entry; page: ReadyPage; of: BuildRef; pathname: string }

function Ready({ entry, page, of, pathname }: ReadyProps) {
  const session = useSessionStore((state) => state.session)
  // A new object for every session, so that components that read it from the context render again.
  const host = useMemo(() => session && makeHost(of), [of, session])
  return (
    <HostContext value={host}>
      {of.build !== entry.build && (
        <LazyState draw={(states) => <states.PreviousNotice entry={entry} of={of} pathname={pathname} />} />
      )}
      <ModuleBoundary
        place={pathname}
        onFault={(fault, reference) =>
          reportFault(of, 'crash', reference, fault.message, pathname, fault.stack)
        }
        fallback={(retry, reference) => (
          <LazyState
            draw={(states) => (
              <states.ModuleCrash
                entry={entry}
                of={of}
                reference={reference}
                pathname={pathname}
                onRetry={retry}
              />
            )}
            otherwise={<PageSkeleton />}
          />
        )}
      >
        <Suspense fallback={<PageSkeleton />}>
          <div className={`module-place ${of.name}${entry.trusted ? ' of-partner' : ''}`}>
            <PageAt page={page} of={of} pathname={pathname} />
          </div>
        </Suspense>
      </ModuleBoundary>
    </HostContext>
  )
}

function PageAt({ page, of, pathname }: Omit<ReadyProps, 'entry'>) {
  const { path, Component } = page
  useEffect(() => reportLoad(of, pathname, path), [of, pathname, path])
  return useRoutes([{ path, caseSensitive: true, element: <Component key={path} /> }])
}

function Waiting({ entry, pathname }: { entry: Entry; pathname: string }) {
  const slow = useAfter(1000)
  const long = useAfter(8000)
  const [reference] = useState(newReference)
  const name = entry.title[currentLocale()]
  useEffect(() => {
    if (long) reportFault(buildOf(entry), 'slow', reference, '', pathname)
  }, [long, entry, reference, pathname])
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
          {long && (
            <LazyState
              draw={(states) => <states.Whose entry={entry} of={buildOf(entry)} reference={reference} />}
            />
          )}
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
