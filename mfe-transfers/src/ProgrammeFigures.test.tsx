import { drawInShell } from '@portal/screens/test-host'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import TransfersPage from './overview/TransfersPage.tsx'
import ReconciliationsPage from './reconciliations/ReconciliationsPage.tsx'

const nothing = { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 }
const settings = {
  agencies: [],
  parameters: [],
  cohorts: [],
  totalAmountDisbursed: 5000,
  finalAmountArrears: 300,
  totalAmountFees: 100,
  totalAmountExpected: 7000,
  totalAmountPending: 1200,
  totalAmountUnknown: 500,
  totalAmountWrittenOff: 0,
  installation: null,
  message: '',
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an accountant reads the same pending amount on the dashboard and on the reconciliations', async () => {
  for (const Page of [TransfersPage, ReconciliationsPage]) {
    const { end } = await drawInShell(<Page />, ({ url }) => {
      if (url.includes('/sending-hold')) return { body: { hold: null } }
      return { body: url.includes('/settings') ? settings : { cohorts: nothing } }
    })
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)))
    const figures = [...document.querySelectorAll('dl.figures')].at(-1)
    const pending = [...(figures?.querySelectorAll('div') ?? [])].find((each) =>
      each.querySelector('dt')?.textContent?.includes('Pending'),
    )
    expect(figures?.children).toHaveLength(4)
    expect(pending?.querySelector('dd.figure')?.textContent).toMatch(/^1,700\.00\sXOF$/)
    expect(pending?.querySelector('dd.note')?.textContent).toMatch(/^of which 500\.00\sXOF unknown$/)
    await end()
  }
})
