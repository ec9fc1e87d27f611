import type { RoundPayment } from '@portal/contracts/transfers/payrolls'
import { drawInShell } from '@portal/screens/test-host'
import { expect, test } from 'vitest'
import { PaymentState } from './PaymentState.tsx'

const payment: RoundPayment = {
  id: 1,
  reference: 'r-1',
  external_trx_id: null,
  receiver_first_name: 'Awa',
  receiver_last_name: 'Diarra',
  receiver_phone_number: '+22370000001',
  receiver_account: null,
  amount: 10_500,
  fees: 0,
  status: 'failed',
  failure_reason: null,
  created_at: '2026-11-01T08:00:00.000Z',
  updated_at: '2026-11-01T08:00:00.000Z',
  master_list_id: 1,
  student_id: 1,
  held: false,
  corrected: false,
  state: 'failed',
  name_state: null,
  acts: [],
  next_step: null,
  agency_code: null,
  write_off_reason: null,
  refused_correction: null,
}
const cases: [string, Partial<RoundPayment>, string][] = [
  ['success', { status: 'success', state: 'success' }, 'pill good'],
  ['pending', { status: 'pending', state: 'pending' }, 'pill bad'],
  ['unknown', { status: 'unknown', state: 'unknown' }, 'pill bad'],
  ['withheld', { state: 'withheld', failure_reason: 'withheld' }, 'pill bad'],
  ['written off', { state: 'written_off', write_off_reason: 'Moved away' }, 'pill bad'],
]

test.each(cases)('an officer sees at once that only success is green: %s', async (_, fields, look) => {
  const { end } = await drawInShell(<PaymentState of={{ ...payment, ...fields }} />, () => ({ body: {} }))
  expect(document.querySelector('.pill')?.className).toBe(look)
  await end()
})

test('whoever opens a failed payment reads beside it who refused the correction of its recipient, and why', async () => {
  const refused_correction = 'Moussa Ba refused a correction: This is the number of a neighbour'
  const { box, end } = await drawInShell(<PaymentState of={{ ...payment, refused_correction }} />, () => ({
    body: {},
  }))
  expect(box.textContent).toContain(refused_correction)
  await end()
})
