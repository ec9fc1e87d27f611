import { today } from '@portal/i18n/format'
import { drawInShell } from '@portal/screens/test-host'
import { expect, test } from 'vitest'
import { overdueCase } from '../test-case.ts'
import { Deadline } from './Deadline.tsx'

/** The clock of the list, by which a person knows the pill whatever its colour. */
const clock = 'M10 6v4.3l2.8 1.7'

test.each([
  ['is overdue in red, as in the list', {}, 'Overdue', 'pill bad'],
  ['is due soon in amber', { due_on: today(), overdue: false }, 'Due soon', 'pill waiting'],
])('a reviewer sees on its page that a case %s, with a clock', async (_, change, word, look) => {
  const page = await drawInShell(<Deadline complain={{ ...overdueCase, ...change }} />, () => ({ body: {} }))
  const pills = [...page.box.querySelectorAll('.pill')]
  expect(pills.map(({ textContent, className }) => [textContent, className])).toEqual([[word, look]])
  expect(pills[0]?.querySelector('path')?.getAttribute('d')).toContain(clock)
  await page.end()
})

test('a reviewer reads nothing of the time that is left of a case that is decided', async () => {
  const page = await drawInShell(<Deadline complain={{ ...overdueCase, status: 'resolved' }} />, () => ({
    body: {},
  }))
  expect(page.box.textContent).toBe('')
  await page.end()
})
