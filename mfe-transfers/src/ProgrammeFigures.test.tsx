import { drawInShell } from '@portal/screens/test-host'
import { expect, test } from 'vitest'
import { ProgrammeFigures } from './ProgrammeFigures.tsx'

const totals = {
  agencies: [],
  parameters: [],
  cohorts: [],
  totalAmountDisbursed: 5000,
  finalAmountArrears: 300,
  totalAmountFees: 100,
  totalAmountExpected: 7000,
  totalAmountPending: 1200,
  totalAmountUnknown: 500,
  totalAmountWrittenOff: 0,
  installation: null,
  message: '',
}

test('an accountant reads in one amount what is pending, and how much of it is unknown', async () => {
  const { end } = await drawInShell(<ProgrammeFigures totals={totals} />, () => ({ body: {} }))
  const figures = document.querySelector('dl.figures')
  const pending = [...(figures?.querySelectorAll('div') ?? [])].find((each) =>
    each.querySelector('dt')?.textContent?.includes('Pending'),
  )
  expect(figures?.children).toHaveLength(4)
  expect(pending?.querySelector('dd.figure')?.textContent).toMatch(/^1,700\.00\sXOF$/)
  expect(pending?.querySelector('dd.note')?.textContent).toMatch(/^of which 500\.00\sXOF unknown$/)
  await end()
})
