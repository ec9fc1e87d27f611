import { draw } from '@portal/ui/test-render'
import { createMemoryRouter, type DataRouter, RouterProvider } from 'react-router-dom'
import { vi } from 'vitest'
import type { BuildRef } from '../builds.ts'
import type { FromFrame, FromPortal } from './protocol.ts'

/** A page of the portal with the frame of an isolated module, for tests: the browser's part is played by hand. */
export const of: BuildRef = {
  name: 'mfe-wells',
  version: '1.0.0',
  build: 'abc',
  base: '/modules/mfe-wells/abc/',
  integrity: 'sha384-none',
}

export const session = {
  user: { id: 7, roles: [] },
  locale: 'en',
  permissions: [],
  settings: {},
} as unknown as import('@portal/contracts/session').Session

type Message = FromFrame | FromPortal

/** Draws the portal's page. `portToFrame` and `filesToFrame` are what its frame would get. */
export async function openPortal(place: string, options: { load?: boolean } = {}) {
  const given: MessagePort[] = []
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue({
    postMessage: (_: unknown, __: string, ports: MessagePort[]) => given.push(...ports),
  } as unknown as Window)
  const { useSessionStore } = await import('../../session/session.ts')
  const { keepRouter } = await import('../tab-router.ts')
  const { PartFrame } = await import('./PartFrame.tsx')
  useSessionStore.getState().begin(session)
  const faults: string[] = []
  const drawn = (
    <PartFrame
      of={of}
      origin="http://mfe-wells.localhost"
      part={{ kind: 'page' }}
      title="Wells"
      waiting={null}
      failed={(fault) => {
        if (!faults.includes(fault)) faults.push(fault)
        return <p>{fault}</p>
      }}
    />
  )
  const router = createMemoryRouter([{ path: '*', element: drawn, loader: () => null }], {
    initialEntries: [place],
  })
  keepRouter(router)
  await vi.waitFor(() => {
    if (!router.state.initialized) throw new Error('not yet')
  })
  const { box, end } = await draw(<RouterProvider router={router} />)
  // What follows is not waited for by React's own rules, as in a browser.
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = false
  const iframe = box.querySelector('iframe')
  if (options.load !== false) iframe?.dispatchEvent(new Event('load'))
  const [port, files] = given
  return { router, faults, box, end, port, files, useSessionStore }
}

/** Passes on what two ports say, with a delay and not before it is open, and keeps it. */
export function line(from: MessagePort, to: MessagePort, delayMs: number, open = Promise.resolve()) {
  const messages: Message[] = []
  from.onmessage = ({ data }) => {
    messages.push(data)
    setTimeout(() => void open.then(() => to.postMessage(data)), delayMs)
  }
  return messages
}

/**
 * Starts the frame's program, with modules of its own, behind a line that is slow. What the portal says during `meanwhile` arrives at
 * once with what the frame is to start with.
 */
export async function openFrame(port: MessagePort, delayMs: number, meanwhile?: () => Promise<void>) {
  vi.resetModules()
  document.body.insertAdjacentHTML('beforeend', '<div id="root"></div>')
  const { listen } = await import('./inside/listen.tsx')
  const { tabRouter } = await import('../tab-router.ts')
  const { useLeaving, registerDirty } = await import('../../session/dirty.ts')
  const { queryClient } = await import('../../session/client.ts')
  const { port1, port2 } = new MessageChannel()
  const { promise: open, resolve } = Promise.withResolvers<void>()
  const fromPortal = line(port, port1, delayMs, open) as FromPortal[]
  const fromFrame = line(port1, port, 1) as FromFrame[]
  listen(port2)
  const received = (kind: FromPortal['kind']) =>
    vi.waitFor(() => {
      if (!fromPortal.some((message) => message.kind === kind)) throw new Error('not yet')
    })
  if (meanwhile) {
    await received('start')
    await meanwhile()
    await received('place')
  }
  resolve()
  await vi.waitFor(() => {
    if (!fromFrame.some(({ kind }) => kind === 'drawn')) throw new Error('not yet')
  })
  return { router: tabRouter() as DataRouter, fromPortal, fromFrame, useLeaving, registerDirty, queryClient }
}
