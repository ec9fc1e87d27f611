import type { Erasure } from '@portal/contracts/access/person-data'
import { drawInShell } from '@portal/screens/test-host'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import PersonPage from './PersonPage.tsx'

const approved: Erasure = {
  id: 4,
  kind: 'student',
  record_id: 7,
  name: 'Aïssata Coulibaly',
  state: 'approved',
  reason: 'Her mother asked in writing',
  stop_paying: false,
  cases: [],
  other_cases: [],
  asked_by: { id: 2, first_name: 'Modibo', last_name: 'Keita' },
  created_at: '2026-06-03T10:00:00.000Z',
  decided_by: { id: 3, first_name: 'Awa', last_name: 'Diarra' },
  decided_at: '2026-06-03T11:00:00.000Z',
  overdue: false,
  decision: 'Letter seen',
  bars: [],
  version: 2,
}

const settle = (ms = 0) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an approved erasure is asked about twice a minute and marked as a poll, until it is carried out', async () => {
  let state: Erasure['state'] = 'approved'
  const { calls, end } = await drawInShell(<PersonPage />, () => ({
    body: { person: null, erasure: { ...approved, state } },
  }))
  await settle()
  await settle(29_000)
  expect(calls.map(({ poll }) => poll)).toEqual([false])
  await settle(2_000)
  expect(calls.map(({ poll }) => poll)).toEqual([false, true])
  state = 'erased'
  await settle(300_000)
  expect(calls).toHaveLength(3)
  await end()
})
