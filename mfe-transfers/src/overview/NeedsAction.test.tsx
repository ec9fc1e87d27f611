import type { CohortStats } from '@portal/contracts/transfers/cohorts'
import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { NeedsAction } from './NeedsAction.tsx'

const none = { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 }
const empty = { cohorts: none, corrections: none, exceptions: none }
const stats = { total_amount_unknown: 0, total_amount_arrears: 0 } as CohortStats
const waits = { not_progressing: [], statements: 0, holds: 0 }
const figures = { data: { waits } as never, error: null, refetch: () => undefined }

test.each(['/corrections', '/exceptions', '/cohorts'])(
  'a person reads that a part of what needs action could not be read (%s), not that nothing waits',
  async (failing) => {
    let broken = true
    const { box, end } = await drawInShell(<NeedsAction stats={stats} figures={figures} />, ({ url }) =>
      broken && url.includes(failing) ? { status: 500, body: { message: 'Boom' } } : { body: empty },
    )
    await eventually(() => expect(box.textContent).toContain('Server Error: Boom'))
    expect(box.textContent).not.toContain('Nothing waits for anybody.')
    broken = false
    await click(named('Try again', box))
    await eventually(() => expect(box.textContent).toContain('Nothing waits for anybody.'))
    await end()
  },
)

test('a person whose own tasks are still being read does not read that nothing waits', async () => {
  const reading = { ...figures, data: undefined }
  const { box, calls, end } = await drawInShell(<NeedsAction stats={stats} figures={reading} />, () => ({
    body: empty,
  }))
  await eventually(() => expect(calls).toHaveLength(4))
  await eventually(() => expect(box.textContent).not.toBe(''))
  expect(box.textContent).not.toContain('Nothing waits for anybody.')
  await end()
})
