import type { CohortSummary, ListStatus } from '@portal/contracts/transfers/cohorts'
import { drawInShell } from '@portal/screens/test-host'
import { eventually, named } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { CohortNotices } from './CohortNotices.tsx'
import { RetryDialog } from './RetryDialog.tsx'

/** A cohort in payment error, and whose payments stand so. */
const haltedWith = (counts: Partial<Record<ListStatus, number>>) =>
  ({
    id: 7,
    name: 'Kayes',
    status: 'error',
    closing: null,
    error_reason: 'The agency could not be reached.',
    list_hash: 'a',
    transfer_agency: { name: 'Sahel' },
    master_list_statuses: counts,
    check: { barred: null },
  }) as CohortSummary

async function drawn(counts: Partial<Record<ListStatus, number>>) {
  const cohort = haltedWith(counts)
  const { box, end } = await drawInShell(
    <>
      <CohortNotices cohort={cohort} progress={undefined} />
      <RetryDialog cohort={cohort} onClose={() => undefined} />
    </>,
    () => ({ body: { hold: null } }),
  )
  await eventually(() => expect(box.textContent).toContain('Payment error.'))
  return { notice: box.textContent ?? '', end }
}

test('an approver whose agency answered no order reads that it is asked about each of them, and of no payments that are still to be sent', async () => {
  const { notice, end } = await drawn({ unknown: 60 })
  expect(notice).toContain('60 unknown outcomes are asked about first.')
  expect(notice).not.toMatch(/handled before|\b0\b/)
  expect(named('Ask about 60 payments')).toHaveProperty('disabled', false)
  await end()
})

test('an approver whose agency failed in mid-round reads what was handled, what is asked about and what is still to be sent', async () => {
  const { notice, end } = await drawn({ success: 1, failed: 1, unknown: 1, pending: 17, sending: 3 })
  expect(notice).toContain('2 payments were handled before and are not touched.')
  expect(notice).toContain('1 unknown outcome is asked about first.')
  expect(notice).toContain('20 payments are still to be sent.')
  expect(named('Send the other 20 payments')).toHaveProperty('disabled', false)
  await end()
})
