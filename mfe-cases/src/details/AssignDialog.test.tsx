import { drawInShell } from '@portal/screens/test-host'
import { eventually } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { AssignDialog } from './AssignDialog.tsx'

test('a reviewer whose list of reviewers could not be read is told why there is nobody to choose', async () => {
  const { end } = await drawInShell(
    <AssignDialog complain={{ id: 7, assigned_id: 1, version: 1 }} onClose={() => undefined} />,
    () => ({ status: 500, body: { message: 'Something went wrong.' } }),
  )
  await eventually(() => {
    const alert = document.querySelector('[role=dialog] [role=alert]')
    expect(alert?.textContent ?? '').toContain('Server Error: Something went wrong.')
  })
  await end()
})
