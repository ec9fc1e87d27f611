import type { CohortSummary } from '@portal/contracts/cohorts'
import { drawInShell } from '@portal/screens/test-host'
import { eventually } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { ApproveDialog } from './ApproveDialog.tsx'

/** A list that waits for its approval. */
const listed = (fields: Partial<CohortSummary>) =>
  ({
    id: 7,
    name: 'Kayes',
    from: '2026-11-01',
    to: '2026-11-30',
    status: 'pending',
    list_hash: 'a',
    list_amount: 30_000,
    list_fees: 600,
    master_list_count: 3,
    rounds_total: 1,
    user: { first_name: 'Modibo', last_name: 'Traoré' },
    period_over: false,
    payable: { count: 3, amount: 30_000, fees: 600 },
    import: { id: 3, rows_read: 3, rows_rejected: 0, rows_duplicate: 0 },
    transfer_agency: { id: 1, name: 'Sahel', type: 'mobile_money', country: 'ml', fees: 1 },
    transfer_parameter: { id: 1, name: 'Monthly', commission: 2, amount: 10_000, frequency: 1 },
    check: {
      overlaps: [],
      shared_numbers: 0,
      shared_rows: 0,
      perhaps_paid: false,
      review: { confirmed_by: null, rows_changed: 0, rows_left_out: 0, headings: {}, changed_by: [] },
      barred: null,
    },
    ...fields,
  }) as unknown as CohortSummary

async function textOf(fields: Partial<CohortSummary>): Promise<string> {
  const nothing = () => undefined
  const { end } = await drawInShell(
    <ApproveDialog
      cohort={listed(fields)}
      onClose={nothing}
      onRejectedRows={nothing}
      onShared={nothing}
      onFlag={nothing}
    />,
    // What stands beside the approval says that it could not be read.
    () => ({ status: 500, body: { message: 'away' } }),
  )
  await eventually(() => expect(document.body.textContent).toContain('Approve 3 payments'))
  const text = document.body.textContent ?? ''
  await end()
  return text
}

test('an approver reads that failed payments are not made again only if the server says that the period is over', async () => {
  const sentence =
    'The period ended on 30/11/2026: payments that fail cannot be made again, only written off.'
  expect(await textOf({ period_over: true })).toContain(sentence)
  // Whatever the clock of her browser says.
  expect(await textOf({ from: '2020-01-01', to: '2020-01-31' })).not.toContain('payments that fail')
})
