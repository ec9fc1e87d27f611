import { drawInShell } from '@portal/screens/test-host'
import { click, named } from '@portal/ui/test-render'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import SchoolsPage from './SchoolsPage.tsx'

const lists = ['regions', 'cercles', 'academies', 'caps', 'partner_types', 'employment_types', 'school_types']
const options = Object.fromEntries([...lists, 'class_levels', 'languages'].map((name) => [name, []]))
const nobody = { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an officer exports the schools that her link shows, whatever it narrows them by', async () => {
  const { calls, end } = await drawInShell(
    <SchoolsPage />,
    ({ url, method }) => {
      if (method === 'POST') return { status: 403, body: { message: 'Not now' } }
      return { body: url.includes('/schools/list') ? { schools: nobody } : options }
    },
    '/admin/schools?search=kita&academy=3&cercle=5&partner=2',
  )
  await act(async () => void (await vi.advanceTimersByTimeAsync(0)))
  await click(named('Export'))
  const narrowed = { search: 'kita', academy: '3', cercle: '5', partner: '2' }
  const listed = new URLSearchParams(
    calls.find(({ url }) => url.includes('/schools/list'))?.url.split('?')[1],
  )
  expect(Object.fromEntries(listed)).toMatchObject(narrowed)
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual(narrowed)
  await end()
})
