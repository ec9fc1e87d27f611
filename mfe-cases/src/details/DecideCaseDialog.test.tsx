import type { Case } from '@portal/contracts/cases'
import { drawInShell } from '@portal/screens/test-host'
import { expect, test } from 'vitest'
import { DecideCaseDialog } from './DecideCaseDialog.tsx'

const person = { first_name: 'Awa', last_name: 'Keïta' }
const complain: Case = {
  id: 7,
  number: 'CAS-2026-0007',
  title: 'Payment not received',
  description: '',
  status: 'open',
  priority: 'high_1_day',
  type: { id: 1, name: 'Payment' },
  channel: { id: 2, name: 'Phone' },
  assigned_id: 1,
  assigned: person,
  user: person,
  plaintiff: null,
  tags: [],
  due_on: '2026-11-02',
  overdue: false,
  created_at: '2026-11-01T08:00:00.000Z',
  version: 1,
}

test.each([
  ['resolve', 'Verdict (optional)'],
  ['reject', 'Reason (optional)'],
] as const)(
  'a reviewer who is to %s a case reads that she may leave the field empty: %s',
  async (action, label) => {
    const { end } = await drawInShell(
      <DecideCaseDialog complain={complain} action={action} onClose={() => undefined} />,
      () => ({ body: { message: 'Decided' } }),
    )
    expect([...document.querySelectorAll('label')].map((each) => each.textContent)).toContain(label)
    await end()
  },
)
