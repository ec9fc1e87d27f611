import { queryOf } from '@portal/client/query'
import { survey } from '@portal/contracts/home/survey'
import { useHost, useQuery } from '@portal/sdk'
import { useEffect } from 'react'

/** A token is renewed this long before it ends: 540 of its 600 seconds after it came. */
const early = 60_000
/** A renewal that failed is tried again after this long; what is shown stays meanwhile. */
const pause = 10_000

/**
 * The signed address of the dashboard, renewed in time. Its lifetime is the difference of two times of the server, so that
 * a wrong clock in the browser does not matter. A hidden tab renews it when it becomes visible again.
 */
export function useEmbed() {
  const { client, i18n } = useHost()
  const embed = useQuery({
    ...queryOf(client, survey.embed),
    // The address of an earlier visit may have expired, and each language has its own.
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
