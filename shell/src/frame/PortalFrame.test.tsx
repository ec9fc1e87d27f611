import type { Session } from '@portal/contracts/session'
import { QueryClient, QueryClientProvider } from '@portal/sdk'
import { click, draw, named } from '@portal/ui/test-render'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { useSessionStore } from '../session/session.ts'
import { PortalFrame } from './PortalFrame.tsx'

afterEach(() => vi.unstubAllGlobals())

test('a person whose browser forbids storage has the portal, and folds its menu for as long as she stays', async () => {
  const forbid = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid, removeItem: forbid })
  const user = { id: 7, first_name: 'Awa', last_name: 'Keita', email: null, roles: [] }
  const session = { user, permissions: [], locale: 'en', settings: { demo: true, four_eyes: true } }
  useSessionStore.getState().begin(session as unknown as Session)
  const element = (
    <PortalFrame pathname="/home">
      <h1>Home</h1>
    </PortalFrame>
  )
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/home'] })
  const { box, end } = await draw(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  expect(box.querySelector('h1')?.textContent).toBe('Home')
  await click(named('Collapse menu', box))
  expect(named('Expand menu', box)).toBeDefined()
  await end()
})
