import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import ApprovalsCard from './ApprovalsCard.tsx'

const none = { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 }

test('an approver reads that the corrections could not be read, and tries again', async () => {
  let broken = true
  const { box, end } = await drawInShell(<ApprovalsCard />, ({ url }) =>
    broken && url.includes('/corrections')
      ? { status: 500, body: { message: 'Boom' } }
      : { body: { cohorts: none, corrections: none } },
  )
  await eventually(() => expect(box.textContent).toContain('Server Error: Boom'))
  expect(box.textContent).toContain('No cohort waits for an approval.')
  broken = false
  await click(named('Try again', box))
  await eventually(() => expect(box.textContent).not.toContain('Boom'))
  await end()
})
