import type { PersonData } from '@portal/contracts/person-data'
import { drawInShell } from '@portal/screens/test-host'
import { eventually } from '@portal/ui/test-render'
import { act } from 'react'
import { expect, test } from 'vitest'
import { AskErasureDialog } from './AskErasureDialog.tsx'

test('a person who asks for the erasure of a girl reads what she has to say of rounds that came meanwhile', async () => {
  const girl: PersonData = {
    kind: 'student',
    id: 7,
    name: 'Aïssata Diallo',
    naming: [],
    parts: [],
    bars: [],
    rounds: [],
  }
  const sentence = 'Rounds are to come that would pay this person. Say that they are not to be paid.'
  const { end } = await drawInShell(<AskErasureDialog person={girl} onClose={() => undefined} />, () => ({
    status: 422,
    body: { message: 'Invalid', errors: { stop_paying: [sentence] } },
  }))
  const reason = document.querySelector('textarea') as HTMLTextAreaElement
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(reason, 'She asked')
    reason.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await act(async () => document.querySelector('form')?.requestSubmit())
  await eventually(() => expect(document.querySelector('[role=alert]')?.textContent).toContain(sentence))
  await end()
})
