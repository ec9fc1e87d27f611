import type { Served } from '@portal/sdk/development'
import { create } from 'zustand'

/** What is served of the module that somebody develops, and how often its parts here were drawn anew. */
export const useRenewals = create<{ served: Served | null; times: number }>(() => ({
  served: null,
  times: 0,
}))
