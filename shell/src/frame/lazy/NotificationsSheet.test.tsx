import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import { afterEach, expect, test, vi } from 'vitest'
import { NotificationsSheet } from './NotificationsSheet.tsx'

const at = '2026-11-01T08:00:00.000Z'
const told = { id: 1, text: 'Case CAS-2026-0001 is assigned to you', link: null, created_at: at }
const page = (number: number, unread: number) => ({
  notifications: {
    data: [{ ...told, id: number, read_at: unread > 0 ? null : at }],
    current_page: number,
    last_page: 2,
    per_page: 15,
    total: 16,
  },
  unread,
})
let unread: number
const server = (url: string) => ({ body: page(url.includes('page=2') ? 2 : 1, unread) })

afterEach(() => vi.unstubAllGlobals())

test('a person who reads her notifications by keys stays in their list when a button that she presses disappears', async () => {
  unread = 1
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method !== 'GET') unread = 0
    return new Response(JSON.stringify(method === 'GET' ? server(url).body : { message: 'Read' }))
  })
  const { box, end } = await drawInShell(<NotificationsSheet />, ({ url }) => server(url))
  for (const words of ['Mark all as read', 'Show earlier']) {
    await eventually(() => expect(named(words, box), words).toBeDefined())
    const button = named(words, box) as HTMLButtonElement
    button.focus()
    await click(button)
    await eventually(() => expect(button.isConnected, words).toBe(false))
    expect(document.activeElement, words).toBe(box.querySelector('.sheet-body'))
  }
  await end()
})
