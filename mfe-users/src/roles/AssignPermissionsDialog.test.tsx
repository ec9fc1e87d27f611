import type { Role } from '@portal/contracts/access'
import { type Answers, drawInShell } from '@portal/screens/test-host'
import { click, named } from '@portal/ui/test-render'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AssignPermissionsDialog } from './AssignPermissionsDialog.tsx'

const known = ['schools.view', 'students.view'].map((name, n) => ({
  id: n + 1,
  name,
  label: null,
}))
const [schools, students] = known
const role = {
  id: 5,
  name: 'Inspectors',
  permissions: [schools],
  dropped: [],
  administrator: false,
  requires_totp: false,
  users: 0,
  version: 1,
} as Role
const theirs = { ...role, permissions: [schools, students], version: 2 } as Role

const widenedMeanwhile =
  (stored: () => ReturnType<Answers>): Answers =>
  ({ method, url, body }) => {
    if (url.includes('/permissions/list')) return { body: { permissions: known } }
    if (method === 'GET') return stored()
    return (body as Role).version === theirs.version
      ? { body: { message: 'Permissions assigned', role: theirs } }
      : { status: 409, body: { message: 'Somebody else has changed this.' } }
  }

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(0)))
beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

async function secondSaves(stored: () => ReturnType<Answers>) {
  const drawn = await drawInShell(
    <AssignPermissionsDialog role={role} onClose={() => undefined} />,
    widenedMeanwhile(stored),
  )
  await settle()
  await act(async () => document.querySelector('form')?.requestSubmit())
  await settle()
  return drawn
}

test('an administrator is shown what another one has let the role do, and takes that', async () => {
  const { calls, end } = await secondSaves(() => ({ body: { role: theirs } }))
  expect(document.querySelector('.changes')?.textContent).toContain('Students: view')
  await click(named('Take theirs'))
  await settle()
  await act(async () => document.querySelector('form')?.requestSubmit())
  await settle()
  expect(calls.filter(({ method }) => method === 'POST').at(-1)?.body).toMatchObject({
    permissions: [schools?.id, students?.id],
    version: 2,
  })
  await end()
})

test('an administrator reads why nothing was saved where the role cannot be read again', async () => {
  const { end } = await secondSaves(() => ({ status: 500, body: { message: 'Boom' } }))
  expect(document.querySelector('[role="alert"]')?.textContent).toContain('Somebody else has changed this.')
  await end()
})

test('an administrator reads which permissions a module dropped, and which of them can be given again', async () => {
  const label = (en: string) => ({ en, fr: en })
  const dropped = [
    { id: 8, name: 'garden.water', label: label('Water the garden'), declared: false },
    { id: 9, name: 'garden.weed', label: label('Weed the garden'), declared: true },
  ]
  const { end } = await drawInShell(
    <AssignPermissionsDialog role={{ ...role, dropped }} onClose={() => undefined} />,
    () => ({ body: { permissions: known } }),
  )
  await settle()
  const said = document.querySelector('.notice')?.textContent
  expect(said).toMatch(/leaves the role when you save: Water the garden\./)
  expect(said).toMatch(/choose it below to give it again: Weed the garden\./)
  await end()
})
