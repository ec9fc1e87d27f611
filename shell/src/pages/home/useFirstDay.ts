import { queryOf } from '@portal/client/query'
import { type FirstDay, firstDay } from '@portal/contracts/access/first-day'
import { useHost, useQuery } from '@portal/sdk'
import { lazyFile, useLazy } from '@portal/ui/lazy'
import { useSessionStore } from '../../session/session.ts'
import type { FirstDayCard } from './FirstDayCard.tsx'

const card = lazyFile(async () => (await import('./FirstDayCard.tsx')).FirstDayCard)

export type Day = {
  /** Home shows this person her first day. For everybody else nothing is fetched. */
  asked: boolean
  /** Its card and steps are there, or are not to be waited for. */
  settled: boolean
  /** Both, once they are there. */
  shown: { Card: typeof FirstDayCard; day: FirstDay } | null
}

/** The guided first day. Its steps are read at each visit, because she comes back from doing one. */
export function useFirstDay(): Day {
  const { client } = useHost()
  const asked = useSessionStore((state) => state.session?.user?.first_day ?? false)
  const { data, error, isFetchedAfterMount } = useQuery({
    ...queryOf(client, firstDay.read),
    enabled: asked,
    refetchOnMount: 'always',
  })
  const Card = useLazy(card, { wanted: asked })
  const shown = asked && Card && data && isFetchedAfterMount ? { Card, day: data } : null
  return { asked, settled: !asked || Boolean(shown || (error && isFetchedAfterMount)), shown }
}
