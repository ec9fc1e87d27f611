import type { Case } from '@portal/contracts/cases'
import { drawInShell } from '@portal/screens/test-host'
import { eventually } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import CasesPage from './CasesPage.tsx'

const overdue: Case = {
  id: 7,
  number: 'CAS-2026-0007',
  title: 'Not paid since June',
  description: 'Her guardian says so',
  status: 'open',
  priority: 'high_1_day',
  type: { id: 1, name: 'Payment' },
  channel: { id: 2, name: 'Telephone' },
  assigned_id: 1,
  assigned: { first_name: 'Awa', last_name: 'Keïta' },
  user: { first_name: 'Moussa', last_name: 'Ba' },
  plaintiff: null,
  tags: [],
  due_on: '2026-06-04',
  overdue: true,
  created_at: '2026-06-03T10:00:00.000Z',
  version: 1,
}
const complains = { data: [overdue], current_page: 1, last_page: 1, per_page: 15, total: 1 }
const choices = { complainTypes: [], complainTags: [], complainChannels: [], partners: [], isSearch: false }

const looksOf = (box: HTMLElement) =>
  [...box.querySelectorAll('.pill')]
    .filter(({ textContent }) => textContent === 'Overdue')
    .map((pill) => pill.className)

test('a reviewer sees in red which case of the list is overdue', async () => {
  const list = await drawInShell(<CasesPage />, () => ({ body: { complains, ...choices } }), '/admin/cases')
  await eventually(() => expect(looksOf(list.box)).toEqual(['pill bad']))
  await list.end()
})
