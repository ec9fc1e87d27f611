import { drawInShell } from '@portal/screens/test-host'
import { eventually } from '@portal/ui/test-render'
import { act } from 'react'
import { expect, test } from 'vitest'
import { UploadStatementDialog } from './UploadStatementDialog.tsx'

const none = { data: [], current_page: 1, last_page: 1, per_page: 100, total: 0 }
const agencies = [{ id: 3, name: 'Sahel Money', status: 'active' }]

test('an accountant chooses which statement is replaced among those of its agency, not among the latest of all', async () => {
  const { calls, end } = await drawInShell(
    <UploadStatementDialog onClose={() => undefined} />,
    ({ url }) => ({
      body: url.includes('/settings') ? { agencies } : { statements: none },
    }),
  )
  await eventually(() => expect(document.querySelector('option[value="3"]')).not.toBeNull())
  const choice = document.querySelector('select')
  await act(async () => {
    if (choice) choice.value = '3'
    choice?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await eventually(() => {
    const lists = calls.filter(({ url }) => url.includes('/transfers/statements'))
    expect(lists.map(({ url }) => new URL(url, 'http://a').searchParams.get('transfer_agency_id'))).toEqual([
      '3',
    ])
  })
  await end()
})
