import type { PersonData } from '@portal/contracts/access/person-data'
import { drawInShell } from '@portal/screens/test-host'
import { click, eventually } from '@portal/ui/test-render'
import { act } from 'react'
import { expect, test } from 'vitest'
import { AskErasureDialog } from './AskErasureDialog.tsx'

const girl: PersonData = {
  kind: 'student',
  id: 7,
  name: 'Aïssata Diallo',
  naming: [],
  parts: [],
  bars: [],
  rounds: [],
}
const said = 'Say of each case that has this name whether it is about this person: CAS-2026-0009.'
const sentence = 'Rounds are to come that would pay this person. Say that they are not to be paid.'

const reason = () => document.querySelector('textarea') as HTMLTextAreaElement
const write = (text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(reason(), text)
    reason().dispatchEvent(new Event('input', { bubbles: true }))
  })
const submit = () => act(async () => document.querySelector('form')?.requestSubmit())
const box = (words: string) =>
  [...document.querySelectorAll('label.check')]
    .find((label) => label.textContent?.includes(words))
    ?.querySelector('input')

test('a person who asks for the erasure of a girl reads what she has to say of rounds that came meanwhile', async () => {
  const { end } = await drawInShell(
    <AskErasureDialog person={girl} onClose={() => undefined} />,
    ({ method }) =>
      method === 'POST'
        ? { status: 422, body: { message: 'Invalid', errors: { stop_paying: [sentence] } } }
        : { body: { person: girl, erasure: null } },
  )
  await write('She asked')
  await submit()
  await eventually(() => expect(document.querySelector('[role=alert]')?.textContent).toContain(sentence))
  await end()
})

test('a person who asks for an erasure can say whose a case is, and of rounds, that came since she opened the form', async () => {
  const now = { ...girl, naming: ['CAS-2026-0009', 'CAS-2026-0010'], rounds: ['Kayes: 2 rounds to come'] }
  const refusals = [{ cases: [said] }, { stop_paying: [sentence] }]
  const { calls, end } = await drawInShell(
    <AskErasureDialog person={girl} onClose={() => undefined} />,
    ({ method }) => {
      if (method === 'GET') return { body: { person: now, erasure: null } }
      const errors = refusals.shift()
      return errors ? { status: 422, body: { message: 'Invalid', errors } } : { body: { message: 'Asked' } }
    },
  )
  await write('She asked')
  await submit()
  await eventually(() => expect(box('CAS-2026-0009')).toBeTruthy())
  expect(reason().value).toBe('She asked')
  await click(box('CAS-2026-0009'))
  await submit()
  await eventually(() => expect(document.querySelector('[role=alert]')?.textContent).toContain(sentence))
  expect(box('CAS-2026-0009')?.checked).toBe(true)
  await click(box('Pay nothing of the rounds to come'))
  await submit()
  const asked = () => calls.filter(({ method }) => method === 'POST')
  await eventually(() => expect(asked()).toHaveLength(3))
  expect(asked().at(-1)?.body).toEqual({
    reason: 'She asked',
    stop_paying: true,
    cases: ['CAS-2026-0009'],
    other_cases: ['CAS-2026-0010'],
  })
  await end()
})
