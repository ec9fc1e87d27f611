import type { StatementWithdrawal } from '@portal/contracts/transfers/statements'
import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import { act } from 'react'
import { expect, test } from 'vitest'
import { WithdrawStatementDialog } from './WithdrawStatementDialog.tsx'

const counts: StatementWithdrawal = {
  lines: 1_204,
  resolved: 3,
  settled: 1_200,
  waiting: 0,
  freed: 2,
  barred: null,
}

async function drawn(withdrawal: StatementWithdrawal) {
  const page = await drawInShell(
    <WithdrawStatementDialog refetches={[]} id={9} onClose={() => undefined} />,
    ({ method }) =>
      method === 'GET' ? { body: withdrawal } : { body: { message: 'The statement is withdrawn.' } },
  )
  const totals = () =>
    [...document.querySelectorAll('dl.totals > div')].map((row) =>
      [...row.children].map((each) => each.textContent),
    )
  await eventually(() => expect(totals()).not.toEqual([]))
  return { ...page, totals }
}

test('an officer reads in figures what goes with a statement and what stays, before she withdraws it', async () => {
  const { calls, totals, end } = await drawn(counts)
  expect(totals()).toEqual([
    ['Lines that are deleted', '1,204'],
    ['Resolved differences that are deleted', '3'],
    ['Payments that it settled and that stay paid', '1,200'],
    ['Failed payments that no longer wait for it', '2'],
  ])
  const field = document.querySelector('textarea') as HTMLTextAreaElement
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, 'Wrong agency')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await click(named('Withdraw'))
  await eventually(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'Wrong agency' }),
  )
  await end()
})

test('an officer reads why a statement cannot be withdrawn before she has typed a reason', async () => {
  const barred = 'Another statement has lines of this one. Withdraw that one first.'
  const { end } = await drawn({ ...counts, barred })
  expect(document.body.textContent).toContain(barred)
  expect(named('Withdraw')).toHaveProperty('disabled', true)
  await end()
})
