import { drawInShell } from '@portal/screens/test-host'
import { eventually } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { overdueCase } from '../test-case.ts'
import CasesPage from './CasesPage.tsx'

const complains = { data: [overdueCase], current_page: 1, last_page: 1, per_page: 15, total: 1 }
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
