import type { CohortSummary, Progress } from '@portal/contracts/transfers/cohorts'
import { type Answers, drawInShell } from '@portal/screens/test-host'
import { act } from 'react'
import { Route, Routes } from 'react-router-dom'
import { expect, vi } from 'vitest'
import CohortSummaryPage from './CohortSummaryPage.tsx'

type Counts = { success: number; failed: number; unknown: number; sending: number }
const total = 293
const amount = 10_500

/** The sums of a round in which so many payments stand so. */
const sumsOf = ({ success, failed, unknown }: Counts) => ({
  total_amount_expected: total * amount,
  total_amount_disbursed: success * amount,
  total_amount_arrears: failed * amount,
  total_amount_pending: (total - success - failed - unknown) * amount,
  total_amount_unknown: unknown * amount,
  total_amount_written_off: 0,
  total_amount_fees: 0,
})
const imported = { id: 3, state: 'imported', rows_read: total, rows_imported: total } as const
const file = { ...imported, rows_rejected: 0, rows_duplicate: 0 }

export function summaryOf(status: CohortSummary['status'], counts: Counts): CohortSummary {
  const { success, failed, unknown, sending } = counts
  return {
    id: 7,
    name: 'Kayes, term 1',
    description: 'Grant of the first term',
    from: '2026-11-01',
    to: '2026-11-30',
    status,
    stopped: false,
    closed: false,
    period_over: false,
    closing: null,
    moving: false,
    transfer_agency_id: 1,
    transfer_parameter_id: 1,
    transfer_agency: { id: 1, name: 'Sahel', type: 'mobile_money', country: 'ml', fees: 1 },
    transfer_parameter: { id: 1, name: 'Monthly', commission: 0, amount, frequency: 1 },
    user: { first_name: 'Modibo', last_name: 'Traoré' },
    created_at: '2026-11-01T08:00:00.000Z',
    master_list_count: total,
    list_amount: total * amount,
    list_fees: 0,
    rounds_total: 1,
    transfer_cohort_stats: sumsOf(counts),
    payments_disbursed: success,
    payments_confirmed: 0,
    total_amount_confirmed: 0,
    names_differ: 0,
    transfer_master_list: { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 },
    master_list_statuses: {
      pending: total - success - failed - unknown - sending,
      sending,
      success,
      failed,
      unknown,
      withheld: 0,
      written_off: 0,
      rejected: 0,
      erased: 0,
    },
    payrolls_count: total,
    payable: { count: total, amount: total * amount, fees: 0 },
    rounds: [{ n: 1, due_on: '2026-11-01', state: 'made', payroll_group_id: 5, perhaps_paid: false }],
    list_hash: 'a',
    import: file,
    comment: null,
    decided_by: null,
    decided_at: null,
    error_reason: status === 'error' ? 'The agency could not be reached.' : null,
    check: {
      overlaps: [],
      shared_numbers: 0,
      shared_rows: 0,
      perhaps_paid: false,
      review: { confirmed_by: null, rows_changed: 0, rows_left_out: 0, headings: {}, changed_by: [] },
      barred: null,
    },
  }
}

export function progressOf(status: Progress['status'], counts: Counts): Progress {
  const { success, failed, unknown, sending } = counts
  const pending = total - success - failed - unknown
  return {
    status,
    stopped: false,
    transfer_cohort_stats: sumsOf(counts),
    payments_disbursed: success,
    payments_confirmed: 0,
    total_amount_confirmed: 0,
    not_progressing_since: null,
    takes_files: false,
    import: file,
    round: {
      id: 5,
      n: 1,
      due_on: '2026-11-01',
      total,
      pending,
      sending,
      success,
      failed,
      withheld: 0,
      written_off: 0,
      unknown,
      percent: 0,
      executed_at: pending === 0 ? '2026-11-01T09:00:00.000Z' : null,
    },
  }
}

/** What the server answers from now on; of several polls one after the other, and the last from then on. */
type Stored = { summary: CohortSummary; progress: Progress[] }
const serving =
  (stored: Stored, firstFlags?: ReturnType<Answers>, searched?: () => ReturnType<Answers>): Answers =>
  ({ url }) => {
    if (url.includes('search=') && searched) return searched()
    if (url.includes('/progress'))
      return { body: stored.progress.length > 1 ? stored.progress.shift() : stored.progress[0] }
    if (url.includes('/summary')) return { body: { cohort: stored.summary } }
    if (url.includes('/sending-hold')) return { body: { hold: null } }
    if (!url.includes('/flags') || !firstFlags) return { body: { flags: [] } }
    const flags = firstFlags
    firstFlags = undefined
    return flags
  }

/** Lets the clock of the test run on, step by step, until something holds: answers take a moment of real time to be read. */
export async function until(holds: () => boolean) {
  for (let step = 0; step < 1000 && !holds(); step++)
    await act(async () => void (await vi.advanceTimersByTimeAsync(20)))
  expect(holds(), document.body.textContent ?? '').toBe(true)
}

/** Opens the page of a cohort with this server, and waits for its first words. */
export async function open(
  stored: Stored,
  {
    first = 'Round 1 of 1',
    flags,
    searched,
  }: { first?: string; flags?: ReturnType<Answers>; searched?: () => ReturnType<Answers> } = {},
) {
  const drawn = await drawInShell(
    <Routes>
      <Route path="/admin/transfers/cohorts/:id/summary" element={<CohortSummaryPage />} />
    </Routes>,
    serving(stored, flags, searched),
    '/admin/transfers/cohorts/7/summary',
  )
  const text = () => document.body.textContent ?? ''
  const shows = (words: string) => until(() => text().includes(words))
  const asked = (call: string) => drawn.calls.filter(({ url }) => url.includes(call)).length
  await shows(first)
  return { ...drawn, asked, text, shows }
}

/** The counts of a round of which so many payments arrived. */
export const sent = (success: number, others: Partial<Counts> = {}): Counts => ({
  success,
  failed: 8,
  unknown: 0,
  sending: 0,
  ...others,
})
