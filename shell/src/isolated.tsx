import '@portal/ui/ui.css'
import './isolated.css'
import type { Session } from '@portal/contracts/session'
import { I18nProvider, i18n, useLingui } from '@portal/sdk'
import { moduleFor } from '@portal/sdk/registry'
import { type Message, messageEvent } from '@portal/ui/notify'
import { applyTheme } from '@portal/ui/theme'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, createPath, RouterProvider, useBlocker, useLocation } from 'react-router-dom'
import * as v from 'valibot'
import { speak } from './language.ts'
import { guardHead } from './platform/head-guard.ts'
import { callByPort } from './platform/isolated/calls-by-port.ts'
import { type FromFrame, FromPortal, portMessage } from './platform/isolated/protocol.ts'
import { registry } from './platform/live-registry.ts'
import { ModuleOutlet, PageSkeleton } from './platform/ModuleOutlet.tsx'
import { isOtherPlace, openPlace } from './platform/router.ts'
import { keepRouter } from './platform/tab-router.ts'
import { queryClient } from './session/client.ts'
import { forgetForms, isDirty, useLeaving } from './session/dirty.ts'
import { useSessionStore } from './session/session.ts'

/**
 * The program of the frame in which an isolated module runs. It loads the module like the portal does, from a registry of
 * this one module. Whatever leaves the frame goes over the port to the portal.
 */
type Send = (message: FromFrame) => void
type Router = ReturnType<typeof createMemoryRouter>

function Place({ send }: { send: Send }) {
  useLingui()
  const location = useLocation()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty() && currentLocation.pathname !== nextLocation.pathname,
  )
  if (blocker.state === 'blocked') {
    // The portal asks, and leads here if the person wants to leave.
    send({ kind: 'go', to: createPath(blocker.location), replace: false })
    blocker.reset()
  }
  const entry = moduleFor(registry, location.pathname)
  if (!entry) return <PageSkeleton />
  return <ModuleOutlet entry={entry} pathname={location.pathname} />
}

function openRouter(place: string, send: Send): Router {
  const router = createMemoryRouter(
    [
      {
        path: '*',
        element: <Place send={send} />,
        loader: openPlace,
        shouldRevalidate: isOtherPlace,
        hydrateFallbackElement: <PageSkeleton />,
      },
    ],
    { initialEntries: [place] },
  )
  keepRouter(router)
  router.subscribe(({ location, historyAction }) => {
    send({ kind: 'go', to: createPath(location), replace: historyAction !== 'PUSH' })
  })
  return router
}

/** Shows messages of the module where the portal shows its own. */
function passMessages(send: Send) {
  window.addEventListener(messageEvent, (event) => {
    event.preventDefault()
    const { tone, title, detail, reference } = (event as CustomEvent<Message>).detail
    const words = (part: unknown) => (typeof part === 'string' ? part : undefined)
    send({
      ...{ kind: 'say', tone, title: words(title) ?? '' },
      ...{ detail: words(detail), reference },
    })
  })
}

async function start(message: Extract<FromPortal, { kind: 'start' }>, send: Send): Promise<Router | null> {
  const root = document.getElementById('root')
  if (!root) return null
  applyTheme(message.theme)
  useSessionStore.getState().begin(message.session as unknown as Session)
  // Signing in again is for the portal.
  useSessionStore.setState({ expired: true })
  await speak(message.locale)
  useLeaving.subscribe(({ forms }) => send({ kind: 'dirty', dirty: forms.size > 0 }))
  const router = openRouter(message.place, send)
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <main className="isolated-page">
          <RouterProvider router={router} />
        </main>
      </QueryClientProvider>
    </I18nProvider>,
  )
  return router
}

function listen(port: MessagePort) {
  const send: Send = (message) => port.postMessage(message)
  const answered = callByPort(send)
  passMessages(send)
  let router: Router | null = null
  port.onmessage = ({ data }) => {
    const read = v.safeParse(FromPortal, data)
    if (!read.success) return
    const message = read.output
    if (message.kind === 'ping') return send({ kind: 'alive' })
    if (message.kind === 'answer') return answered(message)
    if (message.kind === 'start') return void start(message, send).then((made) => (router = made))
    if (message.kind === 'look') {
      applyTheme(message.theme)
      return void speak(message.locale)
    }
    if (!router || createPath(router.state.location) === message.place) return
    forgetForms()
    void router.navigate(message.place, { replace: true })
  }
  send({ kind: 'ready' })
}

guardHead()
document.documentElement.classList.add('framed')
window.addEventListener('message', ({ data, source, ports: [port] }) => {
  if (source === window.parent && data === portMessage && port) listen(port)
})
