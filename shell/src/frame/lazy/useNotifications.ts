import { notifications } from '@portal/contracts/notifications'
import { usePoll } from '@portal/screens/usePoll'
import { useEffect } from 'react'
import { useFrame } from '../opened.ts'

/** How many are read at a time. */
export const perPage = 15

/** Reads the newest notifications every minute; the number of unread ones is the bell's. */
export function useNotifications() {
  const latest = usePoll(notifications.list, { every: 60_000 }, { query: { page: 1, per_page: perPage } })
  const unread = latest.data?.unread
  useEffect(() => {
    if (unread !== undefined) useFrame.setState({ unread })
  }, [unread])
  return latest
}
