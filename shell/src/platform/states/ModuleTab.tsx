import { currentLocale } from '@portal/i18n/locale'
import { HostContext, type ItemKind, type Items } from '@portal/sdk'
import { tabPlace } from '@portal/sdk/extensions'
import { Card } from '@portal/ui/Card'
import { type ComponentType, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useSessionStore } from '../../session/session.ts'
import type { FoundTab } from '../announced.ts'
import type { Failed } from '../builds.ts'
import { FramedPart } from '../FramedPart.tsx'
import { ModuleFault } from '../failures.ts'
import { makeHost } from '../host.ts'
import { LazyState, type StateProps } from '../lazy-states.tsx'
import { ModuleBoundary } from '../ModuleBoundary.tsx'
import { buildOf, take } from '../modules.ts'
import { useRenewals } from '../renewals.ts'
import { begin, reportFault, reportLoad } from '../reports.ts'
import { PartWaiting } from './PartWaiting.tsx'

export type Item = Items[ItemKind]
/** What of a tab is enough to draw it. */
type OfTab = Pick<FoundTab, 'entry' | 'on' | 'id'>

/** Fetches a tab: its component, or why there is none. */
const loadTab = ({ entry, on, id }: OfTab) =>
  take(entry, tabPlace({ on, id }), async ({ module }) => {
    const tab = module.tabs?.[on]?.[id]
    if (!tab) throw new ModuleFault({ reason: 'invalid' })
    // The manifest says what the tab is on, and so which things it gets.
    return (await tab()).default as ComponentType<Item>
  })

/** A tab that somebody has opened, in the page or in a frame of its module. */
export function ModuleTab({ tab, item }: StateProps['ModuleTab']) {
  const { entry, on, id, title } = tab
  if (!entry.isolated) return <TabContent tab={tab} item={item} />
  return (
    <FramedPart
      entry={entry}
      origin={entry.isolated}
      part={{ kind: 'tab', on, id, item }}
      title={title[currentLocale()]}
      waiting={<PartWaiting />}
      around={(failure) => <Card>{failure}</Card>}
    />
  )
}

/** What the module draws in a tab: waiting, its component, or why there is nothing. */
export function TabContent({ tab, item }: { tab: OfTab; item: Item }) {
  const { entry } = tab
  const { pathname } = useLocation()
  const session = useSessionStore((state) => state.session)
  const { loaded, attempt, retry } = useTab(tab)
  // Made anew once its module is there, which says what it is given.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const host = useMemo(() => session && makeHost(buildOf(entry)), [entry, session, loaded])
  const failed = (given: Failed) => (
    <Card>
      <LazyState draw={(states) => <states.CardFailure entry={entry} failed={given} onRetry={retry} />} />
    </Card>
  )
  if (!loaded) return <PartWaiting />
  if ('failure' in loaded) return failed(loaded)
  return (
    <HostContext value={host}>
      <ModuleBoundary
        place={`${attempt}`}
        onFault={(fault, reference) =>
          reportFault(buildOf(entry), 'crash', reference, fault.message, pathname, fault.stack)
        }
        fallback={(_retry, reference) =>
          failed({ failure: { reason: 'threw', message: '' }, reference, ref: buildOf(entry) })
        }
      >
        <Suspense fallback={<PartWaiting />}>
          <div className={`module-place ${entry.name}`}>
            <Counted tab={tab}>
              <loaded.value {...item} />
            </Counted>
          </div>
        </Suspense>
      </ModuleBoundary>
    </HostContext>
  )
}

/** Counts a tab that is drawn, like a page, by the place under which its build lists it. */
function Counted({ tab, children }: { tab: OfTab; children: ReactNode }) {
  const { entry, on, id } = tab
  useEffect(() => reportLoad(buildOf(entry), tabPlace({ on, id }), tabPlace({ on, id })), [entry, on, id])
  return children
}

function useTab(tab: OfTab) {
  const [loaded, setLoaded] = useState<{ value: ComponentType<Item> } | Failed | null>(null)
  const [attempt, setAttempt] = useState(0)
  const times = useRenewals((renewals) => renewals.times)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tab is named by its module and its id, and drawn anew for another
  useEffect(() => {
    let open = true
    begin(tabPlace(tab))
    void loadTab(tab).then((found) => open && setLoaded(found))
    return () => {
      open = false
    }
  }, [attempt, times])
  const retry = () => {
    setLoaded(null)
    setAttempt(attempt + 1)
  }
  return { loaded, attempt, retry }
}
