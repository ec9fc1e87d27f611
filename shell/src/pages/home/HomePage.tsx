import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { home } from '@portal/contracts/home'
import { formatDate, formatTime } from '@portal/i18n/format'
import { problemText } from '@portal/screens/problemText'
import { usePoll } from '@portal/screens/usePoll'
import { useSession } from '@portal/sdk'
import { Blank } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import { usePhone } from '@portal/ui/usePhone'
import { useDeferredValue } from 'react'
import { registry } from '../../platform/live-registry.ts'
import { ModuleCards } from '../../platform/ModuleCards.tsx'
import { cardsFor } from '../../platform/registry.ts'
import { CapSection } from './CapSection.tsx'
import { NeedsMe } from './NeedsMe.tsx'
import { QuickStats } from './QuickStats.tsx'

/** How often the statistics are refreshed (Calls 4.5). */
const every = 300_000

/** The cards of modules come first, before the figures. */
function HomeCards() {
  const { permissions } = useSession()
  const phone = usePhone()
  if (cardsFor(registry, permissions).length === 0) return null
  // Reserves the height of a card with one line, so that a lazy card does not move what is below it.
  return (
    <div className="two even" style={{ gridAutoRows: `minmax(${phone ? 172 : 218}px, auto)` }}>
      <ModuleCards />
    </div>
  )
}

/** The first page after sign-in: what the programme has reached, and where to look further. */
export default function HomePage() {
  const { t } = useLingui()
  const { user } = useSession()
  const { data, error, refetch, dataUpdatedAt, isFetching } = usePoll(home.statistics, { every })
  // Drawn in slices: charts and tables are much at once for a slow phone.
  const figures = useDeferredValue(data)
  const updated = data && new Date(dataUpdatedAt).toISOString()
  const name = user.first_name
  return (
    <>
      <PageHead
        title={t`Hello, ${name}`}
        text={
          updated ? (
            <Trans>
              Figures of {formatDate(updated)} at {formatTime(updated)} UTC, refreshed every 5 minutes.
            </Trans>
          ) : (
            <Trans>Figures of the programme, refreshed every 5 minutes.</Trans>
          )
        }
      />
      {error && !data ? (
        <Card>
          <Blank
            failed
            title={t`The figures could not be loaded`}
            text={problemText(asProblem(error))}
            actions={
              <Button icon="retry" busy={isFetching} onClick={() => void refetch()}>
                <Trans>Try again</Trans>
              </Button>
            }
          />
        </Card>
      ) : (
        <>
          <QuickStats statistics={figures} />
          <NeedsMe every={every} />
          <HomeCards />
          <CapSection statistics={figures} />
        </>
      )}
    </>
  )
}
