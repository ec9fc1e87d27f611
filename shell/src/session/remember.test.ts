import type { Session } from '@portal/contracts/session'
import { afterEach, expect, test, vi } from 'vitest'
import { rememberLocale } from './remember.ts'
import { useSessionStore } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

test('a person who changes the language sends no names, which somebody may have corrected since', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    return new Response(JSON.stringify({ message: 'Profile updated', user: {} }))
  })
  const user = { id: 7, first_name: 'Awa', last_name: 'Keita', email: null, roles: [] }
  const session = { user, permissions: [], locale: 'en', settings: { demo: true, four_eyes: true } }
  useSessionStore.getState().begin(session as unknown as Session)
  await rememberLocale('fr')
  expect(sent).toEqual([{ locale: 'fr' }])
})
