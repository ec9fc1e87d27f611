import { parentsSheet } from '@portal/contracts/registers/parents.sheet'
import { drawInShell } from '@portal/screens/test-host'
import { click, named } from '@portal/ui/test-render'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import './ChooseHeadings.tsx'
import { Headings } from './Headings.tsx'
import type { Survey } from './reading/survey.ts'
import { headingsBody, useHeadings } from './useHeadings.tsx'

vi.setConfig({ testTimeout: 60_000 })
const waiting = { timeout: 30_000 }

const survey: Survey = {
  sheet_name: 'Tuteurs',
  headings: [
    { text: 'Prénom', column: 'first_name', samples: ['Awa'] },
    { text: 'Cel', column: null, samples: ['76 12 34 56', '78 20 44 05'] },
    { text: 'Obs', column: null, samples: [] },
  ],
  problem: null,
  rows: 2,
  first: [],
  hidden: 0,
  faulty: 0,
  firstFaulty: [],
  faults: [],
}

const remembered = { obs: '', 'In another file': 'contact_2' }

function Piece({ problem = null }: { problem?: string | null }) {
  const headings = useHeadings(parentsSheet, remembered)
  return (
    <>
      <Headings survey={{ ...survey, problem }} sheet={parentsSheet} headings={headings} />
      <output>{headingsBody(survey, headings.sheet)}</output>
    </>
  )
}
const draw = (piece: React.ReactNode) => drawInShell(piece, () => ({ body: {} }))
const sent = () => JSON.parse(document.querySelector('output')?.textContent ?? '')
const shown = (holds: () => void) => vi.waitFor(async () => act(async () => holds()), waiting)
const selects = () => [...document.querySelectorAll('select')]
const choose = (at: number, value: string) =>
  act(async () => {
    const select = selects()[at] as HTMLSelectElement
    select.value = value
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })

test('an officer says what a heading is, and what she said of another file before is proposed', async () => {
  const { box, end } = await draw(<Piece />)
  await shown(() => expect(sent()).toEqual({ Obs: '' }))
  await click(named('Say what each column is'))
  await shown(() => expect(selects().map(({ value }) => value)).toEqual(['first_name', '?', '']))
  expect(box.textContent).toContain('76 12 34 56 · 78 20 44 05')
  await choose(1, 'contact_1')
  expect(sent()).toEqual({ Cel: 'contact_1', Obs: '' })
  // A column is one heading's.
  await choose(2, 'contact_1')
  expect(sent()).toEqual({ Cel: '', Obs: 'contact_1' })
  await end()
})

test('an officer whose headings are not known is asked at once what they are', async () => {
  const { end } = await draw(<Piece problem="headings_missing|Last name|Nom" />)
  await shown(() => expect(selects()).toHaveLength(3))
  expect(named('Say what each column is')?.getAttribute('aria-expanded')).toBe('true')
  await end()
})
