import { Trans } from '@lingui/react/macro'
import { invalidate, queryOf } from '@portal/client/query'
import { type Notification, notifications } from '@portal/contracts/notifications'
import { formatDateTime, formatRelative } from '@portal/i18n/format'
import { problemText } from '@portal/screens/problemText'
import { useQuery, useQueryClient } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { client } from '../../session/client.ts'
import { perPage } from './useNotifications.ts'

/** One page of the list; the first is the bell's own, the others are read when they are asked for. */
export function NotificationsPage({ page, onFollow }: { page: number; onFollow: () => void }) {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(
    queryOf(client, notifications.list, { query: { page, per_page: perPage } }),
  )
  const read = (id: number) =>
    client
      .call(notifications.mark, { params: { id }, body: { read: true } })
      .then(() => invalidate(queries, notifications.list))
      .catch(() => {})
  if (!data && error)
    return (
      <li className="card-body stack">
        <Notice
          tone="bad"
          alert
          actions={
            <Button small icon="retry" onClick={() => void refetch()}>
              <Trans>Try again</Trans>
            </Button>
          }
        >
          {problemText(error)}
        </Notice>
      </li>
    )
  return data?.notifications.data.map((each) => (
    <li key={each.id} className={each.read_at ? undefined : 'unread'}>
      <Line
        notification={each}
        onRead={() => {
          if (!each.read_at) void read(each.id)
          if (each.link) onFollow()
        }}
      >
        {!each.read_at && (
          <span className="hidden-visually">
            <Trans>Unread:</Trans>{' '}
          </span>
        )}
        {each.text}
        <small title={formatDateTime(each.created_at)}>{formatRelative(each.created_at)}</small>
      </Line>
    </li>
  ))
}

type LineProps = { notification: Notification; onRead: () => void; children: ReactNode }

/** What leads somewhere is a link; what is only said is read by pressing it. */
function Line({ notification: { link, read_at }, onRead, children }: LineProps) {
  if (link)
    return (
      <Link to={link} onClick={onRead}>
        {children}
      </Link>
    )
  if (read_at) return <div>{children}</div>
  return (
    <button type="button" onClick={onRead}>
      {children}
    </button>
  )
}
