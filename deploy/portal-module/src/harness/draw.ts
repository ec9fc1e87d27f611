import { HostContext, I18nProvider, i18n, QueryClientProvider } from '@portal/sdk'
import { act, type ComponentType, createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import type { FakePortal } from './fake-portal.ts'

/**
 * Draws a page or card of a module inside a fake portal, at its path with 1 for every parameter. Waits until no call is
 * running, and unmounts it.
 */
export async function drawOnce(
  { host }: FakePortal,
  Page: ComponentType,
  path: string,
): Promise<{ text: string; faults: unknown[] }> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const faults: unknown[] = []
  const box = document.body.appendChild(document.createElement('div'))
  const note = (fault: unknown) => void faults.push(fault)
  const root = createRoot(box, { onUncaughtError: note, onCaughtError: note })
  const at = { initialEntries: [path.replace(/:\w+/g, '1')] }
  // A redirect to another path shows nothing, because that page is not drawn here.
  const router = createMemoryRouter(
    [
      { path, Component: Page },
      { path: '*', element: null },
    ],
    at,
  )
  const tree = createElement(
    HostContext,
    { value: host },
    createElement(
      QueryClientProvider,
      { client: host.queryClient },
      createElement(I18nProvider, { i18n }, createElement(RouterProvider, { router })),
    ),
  )
  try {
    await act(async () => root.render(createElement(StrictMode, null, tree)))
    await settle(host)
  } catch (fault) {
    // `act` throws what no error boundary has caught.
    note(fault)
  }
  const text = box.textContent ?? ''
  await act(async () => root.unmount())
  router.dispose()
  host.queryClient.clear()
  box.remove()
  return { text, faults }
}

/** Waits until no call has been running for three turns in a row, because a response may start the next call. */
async function settle({ queryClient }: FakePortal['host']) {
  for (let quiet = 0, turns = 0; quiet < 3 && turns < 200; turns += 1) {
    await act(async () => new Promise((resolve) => setTimeout(resolve, 1)))
    quiet = queryClient.isFetching() ? 0 : quiet + 1
  }
}
