import { createClient } from '@portal/client/client'
import { currentLocale } from '@portal/i18n/locale'
import { QueryClient } from '@tanstack/react-query'
import { isDirty } from '../platform/dirty.ts'
import { useSessionStore } from './session.ts'
import { toSignIn } from './to-sign-in.ts'

/** The one client of shell and modules. */
export const client = createClient({
  base: '/api',
  locale: currentLocale,
  onUnauthorized: ({ method }) => {
    const { expired, expire } = useSessionStore.getState()
    // A page that was only read is left, and comes back; what is typed or being sent stays under the sign-in.
    if (method === 'GET' && !isDirty() && !expired) toSignIn()
    else expire()
  },
  onReauthenticate: () => useSessionStore.getState().confirm(),
})

const isFinal = (fault: unknown) =>
  fault instanceof Error && 'status' in fault && Number(fault.status) >= 400 && Number(fault.status) < 500

/** The one store of answers. A refusal is not asked for again; a broken line is, twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (count, fault) => count < 2 && !isFinal(fault) },
    // Whether it arrived is not known: only the person may send it again.
    mutations: { retry: false },
  },
})
