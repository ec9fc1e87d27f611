import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { home } from '@portal/contracts/home'
import { formatDate, formatTime } from '@portal/i18n/format'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { usePoll } from '@portal/screens/usePoll'
import { useSession } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import { Failed } from '@portal/ui/Table'
import { usePhone } from '@portal/ui/usePhone'
import { useDeferredValue, useState } from 'react'
import { cardsFor } from '../../platform/announced.ts'
import { registry } from '../../platform/live-registry.ts'
import { ModuleCards } from '../../platform/ModuleCards.tsx'
import { CapSection } from './CapSection.tsx'
import { NeedsMe, useNeeds } from './NeedsMe.tsx'
import { QuickStats } from './QuickStats.tsx'
import { type Day, useFirstDay } from './useFirstDay.ts'
import { usePainted } from './usePainted.ts'
import { useWaited } from './useWaited.ts'

const Trends = lazy(() => import('./Trends.tsx'), 'Trends')

/** How often the statistics are refreshed (Calls 4.5). */
const every = 300_000

/** The first day, if it came before what stands below it was drawn: later it would move that. The next visit has it then. */
function FirstDay({ shown }: Pick<Day, 'shown'>) {
  const [inTime] = useState(shown !== null)
  return inTime && shown && <shown.Card day={shown.day} />
}

/** The cards of modules stand above the table; their modules start with `start`. */
function HomeCards({ start }: { start: boolean }) {
  const { permissions } = useSession()
  const phone = usePhone()
  if (cardsFor(registry, permissions).length === 0) return null
  // Reserves the height of a card with one line, so that a lazy card does not move what is below it.
  return (
    <div className="two even" style={{ gridAutoRows: `minmax(${phone ? 172 : 155}px, auto)` }}>
      <ModuleCards start={start} />
    </div>
  )
}

/** When the figures were read. It has the room of that sentence from the beginning, so that nothing moves when they come. */
function AsOf({ updated }: { updated: string | undefined }) {
  const shown = updated ?? new Date().toISOString()
  const place = { gridArea: '1 / 1' }
  return (
    <span style={{ display: 'grid' }}>
      <span style={{ ...place, visibility: updated ? 'visible' : 'hidden' }}>
        <Trans>
          Figures of {formatDate(shown)} at {formatTime(shown)} UTC, refreshed every 5 minutes.
        </Trans>
      </span>
      {!updated && (
        <span style={place}>
          <Trans>Figures of the programme, refreshed every 5 minutes.</Trans>
        </span>
      )}
    </span>
  )
}

/** The first page after sign-in: what the programme has reached, and where to look further. */
export default function HomePage() {
  const { t } = useLingui()
  const { user } = useSession()
  const { data, error, refetch, dataUpdatedAt } = usePoll(home.statistics, { every })
  // Drawn in slices: charts and tables are much at once for a slow phone.
  const figures = useDeferredValue(data)
  const waited = useWaited(figures !== undefined)
  const needs = useNeeds(every, waited)
  const day = useFirstDay()
  const painted = usePainted(figures !== undefined && needs.settled && (day.settled || waited))
  // Last, because it is below everything else.
  const drawn = usePainted(painted)
  const failure = error && failureOf(asProblem(error), refetch)
  const updated = data && new Date(dataUpdatedAt).toISOString()
  const name = user.first_name
  return (
    <>
      <PageHead title={t`Hello, ${name}`} text={<AsOf updated={updated} />} />
      {failure && !data ? (
        <Card>
          <Failed {...failure} title={t`The figures could not be loaded`} text={failure.title} />
        </Card>
      ) : (
        <>
          <QuickStats statistics={figures} />
          {painted && <FirstDay shown={day.shown} />}
          {needs.asked && (painted || !day.asked) && <NeedsMe needs={painted ? needs : null} />}
          {/* What stands below them is drawn with them, so that their lines move nothing. */}
          {(painted || !(needs.asked || day.asked)) && (
            <>
              <HomeCards start={painted} />
              <CapSection statistics={figures} />
              {drawn && <Trends every={every} />}
            </>
          )}
        </>
      )}
    </>
  )
}
