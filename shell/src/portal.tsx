import '@portal/ui/ui.css'
import './shell.css'
import type { Session } from '@portal/contracts/session'
import { I18nProvider, i18n } from '@portal/sdk'
import { applyTheme } from '@portal/ui/theme'
import { QueryClientProvider } from '@tanstack/react-query'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { keepMessages } from './frame/kept-messages.ts'
import { firstLocale, setLocale } from './language.ts'
import { portalRoutes } from './PortalRoot.tsx'
import { pagesOf, sectionsFor } from './pages/sections.ts'
import { guardHead } from './platform/head-guard.ts'
import { LazyState, prefetchStates, statesFrom } from './platform/lazy-states.tsx'
import { addStylesToLazy } from './platform/lazy-styles.ts'
import { prefetchLinks } from './platform/links.tsx'
import { registry } from './platform/live-registry.ts'
import { askOverridden } from './platform/place.ts'
import { openRouter } from './platform/router.ts'
import { watchGeneration } from './platform/stale.ts'
import { client, queryClient } from './session/client.ts'
import { guardUnload } from './session/dirty.ts'
import { useSessionStore } from './session/session.ts'
import { takeStart } from './session/start.ts'

/** The gateway may have put the session into the page; otherwise it is asked for, while the words arrive. */
async function readSession(): Promise<Session> {
  const inlined = document.getElementById('session')?.textContent
  if (inlined) return JSON.parse(inlined)
  const { session: calls } = await import(/* webpackChunkName: "session" */ '@portal/contracts/session')
  return client.call(calls.read)
}

/** The page after the sign-in: the one that the person chose, or home if she may no longer open it. */
function openStart(permissions: readonly string[]) {
  const { pathname, search } = window.location
  if (takeStart() !== pathname + search) return
  if (pagesOf(sectionsFor(permissions)).some(({ path }) => path === pathname)) return
  window.history.replaceState(null, '', '/home')
}

/** A person who has to set up one-time codes begins on her profile. No other page makes calls until then. */
function openProfile() {
  takeStart()
  if (window.location.pathname !== '/profile') window.history.replaceState(null, '', '/profile')
}

async function start(root: HTMLElement) {
  const locale = firstLocale()
  const [session] = await Promise.all([readSession(), setLocale(locale)])
  if (!session.user) {
    const next = window.location.pathname + window.location.search
    return window.location.replace(`/login?next=${encodeURIComponent(next)}`)
  }
  // What the person chose once holds in every browser.
  if (session.locale !== locale) await setLocale(session.locale)
  useSessionStore.getState().begin(session)
  if (session.user.totp_needed) openProfile()
  else openStart(session.permissions)
  await askOverridden()
  const router = await openRouter(portalRoutes)
  watchGeneration(registry.generation)
  prefetchLinks()
  prefetchStates()
  keepMessages()
  addStylesToLazy()
  // A transition renders in slices, so that a slow phone can answer a touch in between.
  startTransition(() =>
    createRoot(root).render(
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>,
    ),
  )
}

statesFrom(() => import(/* webpackChunkName: "states" */ './platform/states/states.tsx'))
const root = document.getElementById('root')
if (root) {
  applyTheme()
  guardHead()
  guardUnload()
  start(root).catch(() => {
    createRoot(root).render(
      <I18nProvider i18n={i18n}>
        <LazyState draw={(states) => <states.StartFailure />} />
      </I18nProvider>,
    )
  })
}
