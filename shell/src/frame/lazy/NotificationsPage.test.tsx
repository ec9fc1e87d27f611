import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import { afterEach, expect, test, vi } from 'vitest'
import { NotificationsPage } from './NotificationsPage.tsx'

const told = { id: 1, text: 'Case CAS-2026-0001 is assigned to you', link: null, read_at: null }
const page = {
  notifications: {
    data: [{ ...told, created_at: '2026-11-01T08:00:00.000Z' }],
    current_page: 2,
    last_page: 2,
    per_page: 15,
    total: 16,
  },
  unread: 1,
}

afterEach(() => vi.unstubAllGlobals())

test('a person whose earlier notifications could not be read is told so, and tries again', async () => {
  const answers = [
    new Response(JSON.stringify({ message: 'Something went wrong.' }), { status: 500 }),
    new Response(JSON.stringify(page), { status: 200 }),
  ]
  vi.stubGlobal('fetch', async () => answers.shift())
  const { box, end } = await drawInShell(<NotificationsPage page={2} onFollow={() => undefined} />, () => ({
    body: {},
  }))
  const shows = (words: string) => eventually(() => expect(box.textContent).toContain(words))
  await shows('Server Error: Something went wrong.')
  expect(box.querySelector('[role=alert]')).not.toBeNull()
  await click(named('Try again', box))
  await shows(told.text)
  await end()
})
