import type { Cohort, Payable } from '@portal/contracts/transfers/cohorts'
import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { StartRoundDialog } from './StartRoundDialog.tsx'

const round = {
  n: 1,
  due_on: '2026-11-01',
  state: 'missed' as const,
  payroll_group_id: null,
  perhaps_paid: false,
}

test('an approver starts a round of the sums that she saw, and after a refusal of those that she sees then', async () => {
  function Page() {
    const [count, setCount] = useState(3)
    const payable: Payable = { count, amount: count * 10_000, fees: 0 }
    const cohort = { id: 7, name: 'Kayes', rounds_total: 2, stopped: false } as Cohort
    return (
      <>
        <button type="button" onClick={() => setCount(2)}>
          Read again
        </button>
        <StartRoundDialog cohort={{ ...cohort, payable }} round={round} onClose={() => undefined} />
      </>
    )
  }
  const { calls, end } = await drawInShell(<Page />, () => ({
    status: 409,
    body: { message: 'The sums of this round have changed.' },
  }))
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
  await click(named('Send 3 payments'))
  await eventually(() => expect(document.body.textContent).toContain('The sums of this round have changed.'))
  await click(named('Read again'))
  await click(named('Send 2 payments'))
  await eventually(() =>
    expect(sent()).toEqual([
      { payments: 3, amount: 30_000, fees: 0 },
      { payments: 2, amount: 20_000, fees: 0 },
    ]),
  )
  await end()
})

test('an approver whose agency had paid the round records it, and reads that nothing is sent', async () => {
  const cohort = {
    id: 7,
    name: 'Kayes',
    rounds_total: 2,
    stopped: false,
    transfer_agency: { name: 'Banque du Fleuve' },
  } as Cohort
  const payable: Payable = { count: 3, amount: 30_000, fees: 600 }
  const { calls, end } = await drawInShell(
    <StartRoundDialog
      cohort={{ ...cohort, payable }}
      round={{ ...round, perhaps_paid: true }}
      onClose={() => undefined}
    />,
    () => ({ body: { message: 'Round 1 counts as paid by its agency.' } }),
  )
  expect(named('Send 3 payments')).toHaveProperty('disabled', true)
  expect(document.body.textContent).toContain('Ask the agency first.')
  const [hasNot, has] = document.querySelectorAll('input[type=radio]')
  await click(hasNot)
  expect(document.body.textContent).toContain('Sent now, round 1 of 2')
  await click(has)
  expect(document.body.textContent).toContain('Paid before, round 1 of 2')
  expect(document.body.textContent).not.toContain('A payment that has been sent cannot be taken back.')
  await click(named('Record 3 payments'))
  await eventually(() =>
    expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { payments: 3, amount: 30_000, fees: 600, paid_before: true },
    ]),
  )
  await end()
})
