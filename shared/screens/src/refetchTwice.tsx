import { invalidate } from '@portal/client/query'
import type { Endpoint } from '@portal/contracts/endpoint'
import type { QueryClient } from '@portal/sdk'

/** At once, and once more when what the change set in motion has settled. The document is never reloaded. */
export function refetchTwice(queries: QueryClient, endpoints: readonly Endpoint[]): void {
  void invalidate(queries, ...endpoints)
  setTimeout(() => void invalidate(queries, ...endpoints), 3000)
}
