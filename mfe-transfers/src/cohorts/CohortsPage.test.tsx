import type { Cohort, CohortStatus } from '@portal/contracts/transfers/cohorts'
import { drawInShell } from '@portal/screens/test-host'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import CohortsPage from './CohortsPage.tsx'

const cohortOf = (status: CohortStatus, id: number): Cohort => ({
  id,
  name: `Cohort ${status}`,
  description: '',
  from: '2026-11-01',
  to: '2026-11-30',
  status,
  stopped: false,
  closed: false,
  period_over: false,
  transfer_agency_id: 1,
  transfer_parameter_id: 1,
  transfer_agency: { name: 'Sahel' },
  transfer_parameter: { name: 'Monthly', commission: 0 },
  user: { first_name: 'Modibo', last_name: 'Traoré' },
  created_at: '2026-11-01T08:00:00.000Z',
  master_list_count: 1,
  list_amount: 1,
  list_fees: 0,
  rounds_total: 1,
  transfer_cohort_stats: {
    total_amount_expected: 0,
    total_amount_disbursed: 0,
    total_amount_arrears: 0,
    total_amount_pending: 0,
    total_amount_unknown: 0,
    total_amount_written_off: 0,
    total_amount_fees: 0,
  },
})
const data = (['pending', 'error', 'approved', 'rejected'] as const).map((status, n) =>
  cohortOf(status, n + 1),
)
const page = { data, current_page: 1, last_page: 1, per_page: 15, total: data.length }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an officer is offered to approve only what waits for it, and opens the other cohorts to see them', async () => {
  const { end } = await drawInShell(<CohortsPage />, ({ url }) => {
    if (url.includes('/sending-hold')) return { body: { hold: null } }
    return {
      body: url.includes('/imports') ? { imports: { ...page, data: [], total: 0 } } : { cohorts: page },
    }
  })
  await act(async () => void (await vi.advanceTimersByTimeAsync(0)))
  const ways = data.map(({ id }) => {
    const links = [...document.querySelectorAll(`a[href="/admin/transfers/cohorts/${id}/summary"]`)]
    return links.map((link) => link.textContent).filter((words) => !words?.startsWith('Cohort'))
  })
  expect(ways.map(([words]) => words)).toEqual([
    'Approve Payroll',
    'Approve Payroll',
    'See cohort',
    'See cohort',
  ])
  await end()
})
