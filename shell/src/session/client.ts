import { createClient } from '@portal/client/client'
import type { Endpoint } from '@portal/contracts/endpoint'
import { currentLocale } from '@portal/i18n/locale'
import { onlineManager, QueryClient } from '@tanstack/react-query'
import { isDirty } from './dirty.ts'
import { useSessionStore } from './session.ts'
import { toSignIn } from './to-sign-in.ts'

/** Asks the person to sign in again, after a call of this method was answered 401. */
export function expireSession(method: Endpoint['method']): void {
  const { expired, expire } = useSessionStore.getState()
  // A clean page is left for the sign-in page; a dirty one stays, with the sign-in in a dialog over it.
  if (method === 'GET' && !isDirty() && !expired) toSignIn()
  else expire()
}

/** The one client of shell and modules. */
export const client = createClient({
  base: '/api',
  locale: currentLocale,
  userId: () => useSessionStore.getState().session?.user?.id,
  uploadsByFetch: () => document.documentElement.classList.contains('in-frame'),
  onUnauthorized: ({ method }) => expireSession(method),
  stillSignedIn: async () => (await import('./refresh.ts')).isStillHere(client),
  onCodesNeeded: () => void import('./refresh.ts').then(({ refreshSession }) => refreshSession(client)),
  onReauthenticate: () => useSessionStore.getState().confirm(),
})

const isFinal = (fault: unknown) =>
  fault instanceof Error && 'status' in fault && Number(fault.status) >= 400 && Number(fault.status) < 500

// TanStack Query assumes a connection until it hears that one is lost, and listens only once something is drawn. A page
// that started without a connection would not fetch what failed when the connection is back.
onlineManager.subscribe(() => {})
onlineManager.setOnline(navigator.onLine)

/** The one query client. Network failures are retried twice, refusals are not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (count, fault) => count < 2 && !isFinal(fault) },
    // It is unknown whether a mutation arrived, so only the person may send it again.
    mutations: { retry: false },
  },
})
