import type { User } from '@portal/contracts/access'
import { type Answers, drawInShell } from '@portal/screens/test-host'
import { click, named } from '@portal/ui/test-render'
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ActivationDialog } from './ActivationDialog.tsx'
import { AssignRoleDialog } from './AssignRoleDialog.tsx'
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

/** A server on which somebody else has saved the person since the dialog was opened. */
const changedTo =
  (stored: User): Answers =>
  ({ method, url, body }) => {
    if (method === 'PUT')
      return (body as { version: number }).version === stored.version
        ? { body: { message: 'Saved', user: stored } }
        : { status: 409, body: { message: 'Somebody else has changed this.' } }
    if (url.endsWith('/admin/users/9')) return { body: { user: stored } }
    return { body: { roles: { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 } } }
  }

async function confirmedTwice(dialog: ReactNode, stored: User, button: string) {
  const drawn = await drawInShell(dialog, changedTo(stored))
  await settle()
  await click(named(button))
  await settle()
  expect(document.querySelector('[role="alert"]')?.textContent).toContain('Somebody else has changed this.')
  await click(named(button))
  await settle()
  return { ...drawn, sent: drawn.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body) }
}

test('an administrator whose person was saved by somebody else reads so, and deactivates her all the same', async () => {
  const { sent, end } = await confirmedTwice(
    <ActivationDialog user={user} onClose={close} />,
    { ...user, email: 'm.traore@portal.example', version: 4 },
    'Deactivate Modibo Traoré',
  )
  expect(sent).toMatchObject([
    { deactivate: true, version: 3 },
    { deactivate: true, version: 4 },
  ])
  await end()
})

test('an administrator whose person was deactivated by somebody else does not activate her by a second click', async () => {
  const { sent, end } = await confirmedTwice(
    <ActivationDialog user={user} onClose={close} />,
    { ...user, active: false, version: 4 },
    'Deactivate Modibo Traoré',
  )
  expect(sent).toMatchObject([{ deactivate: true, version: 3 }])
  expect(document.body.textContent).toContain('Somebody else has done it already.')
  await end()
})

test('an administrator takes a role from a person whom somebody else has saved meanwhile', async () => {
  const { sent, end } = await confirmedTwice(
    <RemoveRoleDialog user={user} role={role} onClose={close} />,
    { ...user, version: 4 },
    'Remove Auditor',
  )
  expect(sent).toMatchObject([
    { assign_role: false, version: 3 },
    { assign_role: false, version: 4 },
  ])
  await end()
})

test('an administrator does not choose a role that somebody else has just given', async () => {
  const { end } = await drawInShell(<AssignRoleDialog user={user} onClose={close} />, (call) =>
    call.url.includes('/roles')
      ? {
          body: {
            roles: {
              data: [
                { id: 5, name: 'Reviewer', permissions: [], users: 0, version: 1 },
                { id: 6, name: 'Clerk', permissions: [], users: 0, version: 1 },
              ],
              current_page: 1,
              last_page: 1,
              per_page: 100,
              total: 2,
            },
          },
        }
      : changedTo({ ...user, roles: [role, { id: 5, name: 'Reviewer' }], version: 4 })(call),
  )
  await settle()
  const choice = document.querySelector('select')
  expect([...(choice?.options ?? [])].map(({ text }) => text)).toContain('Reviewer')
  await act(async () => {
    if (choice) choice.value = '6'
    choice?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await click(named('Assign role'))
  await settle()
  expect([...(choice?.options ?? [])].map(({ text }) => text)).not.toContain('Reviewer')
  await end()
})
