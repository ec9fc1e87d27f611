import { drawInShell } from '@portal/screens/test-host'
import { expect, test } from 'vitest'
import { ProgrammeFigures } from './ProgrammeFigures.tsx'

const totals = {
  total_amount_expected: 7000,
  total_amount_disbursed: 5000,
  total_amount_arrears: 300,
  total_amount_pending: 1200,
  total_amount_unknown: 500,
  total_amount_written_off: 0,
  total_amount_fees: 100,
}

test('an accountant reads in one amount what is pending, and how much of it is unknown', async () => {
  const { end } = await drawInShell(<ProgrammeFigures stats={totals} of="All" />, () => ({ body: {} }))
  const figures = document.querySelector('dl.figures')
  const pending = [...(figures?.querySelectorAll('div') ?? [])].find((each) =>
    each.querySelector('dt')?.textContent?.includes('Pending'),
  )
  expect(figures?.children).toHaveLength(4)
  expect(pending?.querySelector('dd.figure')?.textContent).toMatch(/^1,700\.00\sXOF$/)
  expect(pending?.querySelector('dd.note')?.textContent).toMatch(/^of which 500\.00\sXOF unknown$/)
  await end()
})
