import { cardPlace } from '@portal/contracts/module-places'
import { currentLocale } from '@portal/i18n/locale'
import { HostContext } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { type ComponentType, Suspense, startTransition, useEffect, useMemo, useState } from 'react'
import { useSessionStore } from '../session/session.ts'
import { cardsFor, type HomeCard } from './announced.ts'
import type { Failed } from './builds.ts'
import { loadCard } from './cards.ts'
import { FramedPart } from './FramedPart.tsx'
import { makeHost } from './host.ts'
import { LazyState } from './lazy-states.tsx'
import { registry } from './live-registry.ts'
import { ModuleBoundary } from './ModuleBoundary.tsx'
import { buildOf } from './modules.ts'
import { useRenewals } from './renewals.ts'
import { begin, reportFault, reportLoad } from './reports.ts'

/**
 * The cards that modules have for this person, each in a place of its own; nothing where there are none. They are fetched
 * with `start`; until then each has its frame.
 */
export function ModuleCards({ start }: { start: boolean }) {
  const permissions = useSessionStore((state) => state.session?.permissions ?? none)
  return cardsFor(registry, permissions).map((card) => (
    <ModuleCard key={`${card.entry.name} ${card.id}`} card={card} start={start} />
  ))
}

const none: readonly string[] = []

type CardProps = { card: HomeCard; start: boolean }

/** One card: frame and title are the portal's, what is inside is the module's. */
const ModuleCard = ({ card, start }: CardProps) => (
  <Card title={card.title[currentLocale()]}>
    {card.entry.isolated ? (
      <FramedCard card={card} start={start} origin={card.entry.isolated} />
    ) : (
      <CardContent card={card} start={start} />
    )}
  </Card>
)

/** The content of an isolated module's card, in a frame of its own. */
function FramedCard({ card, start, origin }: CardProps & { origin: string }) {
  const { entry, id } = card
  if (!start) return <Waiting />
  return (
    <FramedPart
      entry={entry}
      origin={origin}
      part={{ kind: 'card', id }}
      title={card.title[currentLocale()]}
      waiting={<Waiting />}
    />
  )
}

/** What is inside of a card, in the page or in a frame. It is fetched with `start`. */
export function CardContent({ card, start }: CardProps) {
  const { entry } = card
  const session = useSessionStore((state) => state.session)
  const { loaded, attempt, retry } = useCard(card, start)
  // Made anew once its module is there, which says what it is given.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const host = useMemo(() => session && makeHost(buildOf(entry)), [entry, session, loaded])
  const failed = (given: Failed) => (
    <LazyState
      draw={(states) => <states.CardFailure entry={entry} failed={given} onRetry={retry} />}
      otherwise={<Waiting />}
    />
  )
  return (
    <>
      {!loaded && <Waiting />}
      {loaded && 'failure' in loaded && failed(loaded)}
      {loaded && 'value' in loaded && (
        <HostContext value={host}>
          <ModuleBoundary
            place={`${attempt}`}
            onFault={(fault, reference) =>
              reportFault(buildOf(entry), 'crash', reference, fault.message, '/home', fault.stack)
            }
            fallback={(_retry, reference) =>
              failed({ failure: { reason: 'threw', message: '' }, reference, ref: buildOf(entry) })
            }
          >
            <Suspense fallback={<Waiting />}>
              <div className={`module-place ${entry.name}`}>
                <loaded.value />
              </div>
            </Suspense>
          </ModuleBoundary>
        </HostContext>
      )}
    </>
  )
}

function useCard(card: HomeCard, start: boolean) {
  const [loaded, setLoaded] = useState<{ value: ComponentType } | Failed | null>(null)
  const [attempt, setAttempt] = useState(0)
  const times = useRenewals((renewals) => renewals.times)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card is named by its module and its id
  useEffect(() => {
    if (!start) return
    let open = true
    const page = cardPlace(card.id)
    // Cards of several modules have the same place.
    const place = card.entry.name + page
    begin(place)
    void loadCard(card).then((found) => {
      if (!open) return
      startTransition(() => setLoaded(found))
      if ('value' in found) reportLoad(buildOf(card.entry), place, page)
    })
    return () => {
      open = false
    }
  }, [card.entry, card.id, attempt, start, times])
  const retry = () => {
    setLoaded(null)
    setAttempt(attempt + 1)
  }
  return { loaded, attempt, retry }
}

const Waiting = () => (
  <div className="card-body stack" aria-busy="true">
    <Skeleton width="46%" height={28} />
    <Skeleton width="72%" />
    <Skeleton width="60%" />
  </div>
)
