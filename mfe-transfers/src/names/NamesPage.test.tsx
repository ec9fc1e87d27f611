import type { NameCheck, NamesOfList } from '@portal/contracts/transfers/name-checks'
import { drawInShell } from '@portal/screens/test-host'
import { act } from 'react'
import { Route, Routes } from 'react-router-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import NamesPage from './NamesPage.tsx'

const check = (state: NameCheck['state'], done: number): NameCheck => ({
  state,
  total: 2,
  done,
  unanswered: 0,
  waits: false,
  problem: null,
  created_at: '2026-11-01T08:00:00.000Z',
})
const names = (of: NameCheck): NamesOfList => ({
  name: 'Kayes, term 1',
  agency: 'Sahel',
  barred: null,
  fresh_days: 30,
  counts: [],
  stale: 0,
  answered_at: null,
  check: of,
})
const awa = {
  id: 1,
  student_code: 'KYG-1',
  first_name: 'Awa',
  last_name: 'Diarra',
  phone: null,
  holder: null,
  within_limits: null,
  answered_at: null,
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an officer who watches a check of names to its end reads its last answers in the list', async () => {
  let ended = false
  const { box, end } = await drawInShell(
    <Routes>
      <Route path="/admin/transfers/cohorts/:id/names" element={<NamesPage />} />
    </Routes>,
    ({ url }) => {
      if (url.includes('/sending-hold')) return { body: { hold: null } }
      if (!url.includes('/names/list')) return { body: names(check(ended ? 'finished' : 'running', 1)) }
      const data = [ended ? { ...awa, state: 'match', holder: 'Awa DIARRA' } : { ...awa, state: 'unchecked' }]
      return { body: { names: { data, current_page: 1, last_page: 1, per_page: 15, total: 1 } } }
    },
    '/admin/transfers/cohorts/7/names',
  )
  const settle = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
  await settle(100)
  expect(box.textContent).toContain('Cancel the check')
  expect(box.textContent).not.toContain('Awa DIARRA')
  ended = true
  await settle(1600)
  expect(box.textContent).not.toContain('Cancel the check')
  await settle(100)
  expect(box.textContent).toContain('Awa DIARRA')
  await end()
})
