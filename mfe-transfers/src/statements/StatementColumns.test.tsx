import { drawInShell } from '@portal/screens/test-host'
import { click, eventually, named } from '@portal/ui/test-render'
import { act } from 'react'
import { expect, test } from 'vitest'
import { StatementColumns } from './StatementColumns.tsx'

const preview = {
  format: 'rows',
  headings: [
    { heading: 'Montant', column: 'amount' },
    { heading: 'Numéro', column: null },
  ],
  rows: [['5000', '70000010']],
  problem: null,
}

test('a person whose choice of a column could not be sent reads so, tries again, and finds her choice', async () => {
  let connected = true
  const given: string[] = []
  const file = new File(['Montant;Numéro'], 'statement.csv')
  const { box, calls, end } = await drawInShell(
    <StatementColumns agency={1} file={file} onHeadings={(headings) => given.push(headings)} />,
    () => (connected ? { body: preview } : new TypeError('fetch failed')),
  )
  const selects = () => [...box.querySelectorAll('select')]
  await eventually(() => expect(selects()).toHaveLength(2))
  connected = false
  await act(async () => {
    const select = selects()[1] as HTMLSelectElement
    select.value = 'number'
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await eventually(() => expect(box.querySelector('[role=alert]')?.textContent).toBeTruthy())
  connected = true
  await click(named('Try again', box))
  await eventually(() => expect(selects().map(({ value }) => value)).toEqual(['amount', 'number']))
  expect(given).toEqual(['{"Numéro":"number"}'])
  expect(calls).toHaveLength(3)
  await end()
})
