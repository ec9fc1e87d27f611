import type { Case } from '@portal/contracts/cases'
import { today } from '@portal/i18n/format'
import { drawInShell } from '@portal/screens/test-host'
import { expect, test } from 'vitest'
import { Deadline } from './Deadline.tsx'

const complain: Case = {
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

/** The clock of the list, by which a person knows the pill whatever its colour. */
const clock = 'M10 6v4.3l2.8 1.7'

test.each([
  ['is overdue in red, as in the list', {}, 'Overdue', 'pill bad'],
  ['is due soon in amber', { due_on: today(), overdue: false }, 'Due soon', 'pill waiting'],
])('a reviewer sees on its page that a case %s, with a clock', async (_, change, word, look) => {
  const page = await drawInShell(<Deadline complain={{ ...complain, ...change }} />, () => ({ body: {} }))
  const pills = [...page.box.querySelectorAll('.pill')]
  expect(pills.map(({ textContent, className }) => [textContent, className])).toEqual([[word, look]])
  expect(pills[0]?.querySelector('path')?.getAttribute('d')).toContain(clock)
  await page.end()
})

test('a reviewer reads nothing of the time that is left of a case that is decided', async () => {
  const page = await drawInShell(<Deadline complain={{ ...complain, status: 'resolved' }} />, () => ({
    body: {},
  }))
  expect(page.box.textContent).toBe('')
  await page.end()
})
