import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import PayeeHoldsPage from './PayeeHoldsPage.tsx'
import '../dialogs/HoldPayeeDialog.tsx'

test('an officer who came from a student to put her on hold is asked once, and not again after a reload', async () => {
  const payee = {
    student_id: 12,
    first_name: 'Awa',
    last_name: 'Diarra',
    student_code: 'KYG-1',
    school_name: 'Coura',
    held: false,
    waiting: 0,
    sent: 0,
  }
  const { place, end } = await drawInShell(
    <PayeeHoldsPage />,
    ({ url }) => {
      if (url.includes('/payees/')) return { body: { payee } }
      if (url.includes('/sending-hold')) return { body: { hold: null } }
      if (url.includes('/options')) return { body: { caps: [] } }
      return { body: { holds: { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 } } }
    },
    '/admin/transfers/payee-holds?hold=12&state=open',
  )
  await eventually(() => expect(document.querySelector('[role=dialog]')?.textContent).toContain('Awa Diarra'))
  await click(named('Cancel'))
  await eventually(() => expect(document.querySelector('[role=dialog]')).toBeNull())
  expect(place.current).toBe('/admin/transfers/payee-holds?state=open')
  await end()
})
