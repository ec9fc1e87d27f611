import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { invalidate } from '@portal/client/query'
import { notifications } from '@portal/contracts/notifications'
import { problemText } from '@portal/screens/problemText'
import { useQueryClient } from '@portal/sdk'
import { Blank, Skeleton } from '@portal/ui/Blank'
import { Button, IconButton } from '@portal/ui/Button'
import { useState } from 'react'
import { notify } from '../../platform/notify.ts'
import { client } from '../../session/client.ts'
import { open } from '../opened.ts'
import { NotificationsPage } from './NotificationsPage.tsx'
import { Sheet } from './Sheet.tsx'
import { useNotifications } from './useNotifications.ts'

/** What the portal has told this person, the newest first. */
export function NotificationsSheet() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [pages, setPages] = useState(1)
  const { data, error, refetch } = useNotifications()
  const close = () => open(null)
  const readAll = async () => {
    try {
      await client.call(notifications.markAll)
    } catch (thrown) {
      notify.bad(problemText(asProblem(thrown)))
    }
    await invalidate(queries, notifications.list)
  }
  return (
    <Sheet label={t`Notifications`} place="side" onClose={close}>
      <header>
        <h2>
          <Trans>Notifications</Trans>
        </h2>
        <span className="grow" />
        {Boolean(data?.unread) && (
          <Button small variant="plain" vanishes onClick={() => void readAll()}>
            <Trans>Mark all as read</Trans>
          </Button>
        )}
        <IconButton icon="x" label={t`Close`} onClick={close} />
      </header>
      {data?.notifications.total === 0 && (
        <Blank
          icon="bell"
          title={t`Nothing to tell you yet`}
          text={t`What waits for you is told here: cohorts to approve, cases, imports that have ended.`}
        />
      )}
      {!data && !error && <Skeletons />}
      {!data && error && (
        <Blank
          failed
          title={t`The notifications could not be loaded`}
          text={problemText(error)}
          actions={
            <Button icon="retry" onClick={() => void refetch()}>
              <Trans>Try again</Trans>
            </Button>
          }
        />
      )}
      {data && data.notifications.total > 0 && (
        <ul className="told">
          {Array.from({ length: pages }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
            <NotificationsPage key={at} page={at + 1} onFollow={close} />
          ))}
        </ul>
      )}
      {data && pages < data.notifications.last_page && (
        <footer>
          <Button small vanishes onClick={() => setPages(pages + 1)}>
            <Trans>Show earlier</Trans>
          </Button>
        </footer>
      )}
    </Sheet>
  )
}

const Skeletons = () => (
  <div className="stack card-body" aria-busy="true">
    {['80%', '60%', '70%'].map((width) => (
      <Skeleton key={width} width={width} />
    ))}
  </div>
)
