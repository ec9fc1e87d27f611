import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { system } from '@portal/contracts/home/system'
import { formatTime } from '@portal/i18n/format'
import { ListPage } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { usePoll } from '@portal/screens/usePoll'
import { Card } from '@portal/ui/Card'
import { Failed } from '@portal/ui/Table'
import { Agencies, Failures, Files, Queues, Versions } from './parts.tsx'

/** How often the page is refreshed, in ms. */
const every = 15_000

/** How the portal is, for an administrator without a monitor. */
export default function SystemPage() {
  const { t } = useLingui()
  const { data, error, refetch, dataUpdatedAt } = usePoll(system.read, { every })
  const failure = error && !data && failureOf(asProblem(error), refetch)
  return (
    <ListPage
      title={t`State of the portal`}
      description={
        data ? (
          <Trans>
            At {formatTime(new Date(dataUpdatedAt).toISOString())} UTC, refreshed every 15 seconds.
          </Trans>
        ) : (
          <Trans>What waits, what failed, and what runs.</Trans>
        )
      }
    >
      {failure ? (
        <Card>
          <Failed {...failure} />
        </Card>
      ) : (
        <>
          <Queues status={data} />
          <Agencies agencies={data?.agencies} held={data?.held} />
          <Failures errors={data?.errors} />
          <Files status={data} />
          <Versions versions={data?.versions} />
        </>
      )}
    </ListPage>
  )
}
