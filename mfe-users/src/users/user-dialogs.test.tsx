import type { User } from '@portal/contracts/access'
import { type Answers, drawInShell } from '@portal/screens/test-host'
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ActivationDialog } from './ActivationDialog.tsx'
import { RemoveRoleDialog } from './RemoveRoleDialog.tsx'

const role = { id: 4, name: 'Auditor' }
const user: User = {
  id: 9,
  first_name: 'Modibo',
  last_name: 'Traoré',
  email: 'modibo@portal.example',
  gender: 'male',
  type: 'partner',
  user_title: 'mr',
  deactivated_at: null,
  approval_limit: null,
  active: true,
  invited: false,
  roles: [role],
  version: 3,
}
const close = () => undefined
const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(0)))
beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

async function confirmed(dialog: ReactNode, answer: ReturnType<Answers>) {
  const drawn = await drawInShell(dialog, () => answer)
  await settle()
  await act(async () => document.querySelector('form')?.requestSubmit())
  await settle()
  return { ...drawn, body: drawn.calls.find(({ method }) => method === 'PUT')?.body }
}

test('an administrator who deactivates a person or takes a role away names the person in the call too', async () => {
  const saved = { body: { message: 'Saved', user } }
  const deactivated = await confirmed(<ActivationDialog user={user} onClose={close} />, saved)
  expect(deactivated.body).toEqual({ id: 9, deactivate: true, version: 3 })
  await deactivated.end()
  const removed = await confirmed(<RemoveRoleDialog user={user} role={role} onClose={close} />, saved)
  expect(removed.body).toEqual({ id: 9, role_id: 4, assign_role: false, version: 3 })
  await removed.end()
})

test('an administrator reads that an unexpected error occurred where the answer says nothing else', async () => {
  const { end } = await confirmed(<ActivationDialog user={user} onClose={close} />, {
    status: 502,
    body: null,
  })
  expect(document.querySelector('[role="alert"]')?.textContent?.trim()).toBe(
    'An unexpected error occurred. Please try again later.',
  )
  await end()
})
