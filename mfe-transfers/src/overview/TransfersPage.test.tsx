import { drawInShell } from '@portal/screens/test-host'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import TransfersPage from './TransfersPage.tsx'

const none = { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 }
const answers: [string, object][] = [
  [
    '/transfers/settings',
    {
      agencies: [],
      parameters: [],
      cohorts: [],
      totalAmountDisbursed: 700,
      finalAmountArrears: 200,
      totalAmountFees: 0,
      totalAmountExpected: 1000,
      totalAmountPending: 0,
      totalAmountUnknown: 0,
      totalAmountWrittenOff: 100,
      installation: null,
      message: '',
    },
  ],
  ['/transfers/dashboard', { waits: { not_progressing: [], statements: 0, holds: 0 }, agencies: [] }],
  ['/transfers/reconciliations', { reconciliations: none }],
  ['/transfers/cohorts', { cohorts: none }],
  ['/transfers/corrections', { corrections: none }],
  ['/transfers/exceptions', { exceptions: none }],
  ['/sending-hold', { hold: null }],
  ['/home/trends', { months: [] }],
  ['/home/statistics', { disbursementByCap: [] }],
]

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an accountant reads that all is settled once what was not paid is owed or written off', async () => {
  const { end } = await drawInShell(<TransfersPage />, ({ url }) => ({
    body: answers.find(([path]) => url.includes(path))?.[1] ?? {},
  }))
  const card = () =>
    [...document.querySelectorAll('.card')].find((each) => /Settled so far/.test(each.textContent ?? ''))
  for (let step = 0; step < 100 && !card(); step++)
    await act(async () => void (await vi.advanceTimersByTimeAsync(20)))
  expect(card()?.textContent).toContain('100%')
  expect(card()?.textContent).toContain(
    'Disbursed, refused by the agency or written off; all else is pending.',
  )
  await end()
})
