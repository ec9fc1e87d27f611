import { draw } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { CohortPill } from './words.tsx'

test('a person reads of a cohort that it is closed for good, whatever it was before', async () => {
  const { box, end } = await draw(<CohortPill status="approved" stopped closed />)
  expect(box.textContent?.trim()).toBe('CLOSED')
  await end()
})

test.each([
  ['pending', false, 'NOT APPROVED to decide'],
  ['rejected', false, 'NOT APPROVED rejected'],
  ['approved', false, 'APPROVED'],
  ['approved', true, 'APPROVED stopped'],
  ['error', false, 'PAYMENT ERROR'],
] as const)('a person reads of a %s cohort (stopped: %s): %s', async (status, stopped, words) => {
  const { box, end } = await draw(<CohortPill status={status} stopped={stopped} />)
  expect(box.textContent?.trim()).toBe(words)
  expect(box.querySelector('.pill')?.className).toBe(
    status === 'approved' ? `pill ${stopped ? 'waiting' : 'good'}` : 'pill bad',
  )
  await end()
})
