import { invalidate } from '@portal/client/query'
import type { Endpoint } from '@portal/contracts/endpoint'
import type { QueryClient } from '@portal/sdk'

/** Refetches at once and again after 3 s, when jobs of the change may be done. The document is never reloaded. */
export function refetchTwice(queries: QueryClient, endpoints: readonly Endpoint[]): void {
  void invalidate(queries, ...endpoints)
  setTimeout(() => void invalidate(queries, ...endpoints), 3000)
}
