import { queryOf } from '@portal/client/query'
import { survey } from '@portal/contracts/survey'
import { useHost, useQuery } from '@portal/sdk'
import { useEffect } from 'react'

/** A token is renewed this long before it ends: 540 of its 600 seconds after it came. */
const early = 60_000
/** A renewal that failed is tried again after this long; what is shown stays meanwhile. */
const pause = 10_000

/**
 * The signed address of the dashboard, renewed in time. How long it is good for is told by two times of the server, so that
 * a wrong clock here ends nothing early or late. A hidden tab renews nothing; it does so when it is looked at again.
 */
export function useEmbed() {
  const { client, i18n } = useHost()
  const embed = useQuery({
    ...queryOf(client, survey.embed),
    // An address of a visit before may be spent; another language is another address.
    queryKey: ['survey', i18n.locale],
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const { data, dataUpdatedAt, errorUpdatedAt, refetch } = embed
  useEffect(() => {
    if (!data?.url || !data.expires_at || !data.issued_at) return
    const due = dataUpdatedAt + Date.parse(data.expires_at) - Date.parse(data.issued_at) - early
    const renew = () => {
      if (!document.hidden && Date.now() >= due) void refetch()
    }
    const failed = errorUpdatedAt > dataUpdatedAt
    const timer = setTimeout(renew, Math.max(failed ? pause : 0, due - Date.now()))
    document.addEventListener('visibilitychange', renew)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', renew)
    }
  }, [data, dataUpdatedAt, errorUpdatedAt, refetch])
  return embed
}
