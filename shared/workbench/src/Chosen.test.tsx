import { parentsSheet } from '@portal/contracts/registers/parents.sheet'
import { drawInShell } from '@portal/screens/test-host'
import { click, named } from '@portal/ui/test-render'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Chosen } from './Chosen.tsx'
import type { Survey } from './reading/survey.ts'
import { useHeadings } from './useHeadings.tsx'

const survey: Survey = {
  sheet_name: 'Tuteurs',
  headings: [],
  problem: null,
  rows: 2,
  first: [],
  hidden: 0,
  faulty: 0,
  firstFaulty: [],
  faults: [],
}
const file = new File(['x'], 'list.xlsx')

/** The page of an import, whose file is on its way until it is stopped. */
function Importing({ hidden = 0 }) {
  const headings = useHeadings(parentsSheet, {})
  const [sent, setSent] = useState<number | null>(null)
  const upload = {
    ...{ sent, problem: null, forget: () => {} },
    start: () => setSent(0),
    stop: () => setSent(null),
  }
  return (
    <main tabIndex={-1}>
      <Chosen
        {...{ file, headings, upload }}
        sheet={parentsSheet}
        read={{ rows: 2, survey: { ...survey, hidden }, problem: null }}
        onFile={() => {}}
        onClose={() => {}}
      />
    </main>
  )
}

test('an officer who uploads a file by keys and stops it stays in the page', async () => {
  const { box, end } = await drawInShell(<Importing />, () => ({ body: {} }))
  for (const words of ['Upload and compare 2 rows', 'Stop the upload']) {
    const button = named(words, box) as HTMLButtonElement
    button.focus()
    await click(button)
    expect(button.isConnected, words).toBe(false)
    expect(document.activeElement, words).toBe(box.querySelector('main'))
  }
  await end()
})

test('an officer reads before the upload how many rows of her file are hidden, and that they come in too', async () => {
  for (const [hidden, words] of [
    [
      2,
      '2 rows are hidden in the file. They are imported like the others; to leave them out, delete them in the file.',
    ],
    [
      1,
      '1 row is hidden in the file. It is imported like the others; to leave it out, delete it in the file.',
    ],
  ] as const) {
    const { box, end } = await drawInShell(<Importing hidden={hidden} />, () => ({ body: {} }))
    expect(box.textContent).toContain(words)
    await end()
  }
  const { box, end } = await drawInShell(<Importing />, () => ({ body: {} }))
  expect(box.textContent).toContain('2 rows read.')
  expect(box.textContent).not.toContain('hidden')
  await end()
})
