import { endpoint } from '@portal/contracts/endpoint'
import { done, name } from '@portal/contracts/fields'
import { TextField } from '@portal/ui/TextField'
import { click, named, type } from '@portal/ui/test-render'
import { act, Component, type ReactNode, useState } from 'react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Conflict, withoutConflict } from '../Conflict.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { type Answers, drawInShell } from '../test-host.tsx'
import { useEndpointForm } from '../useEndpointForm.tsx'
import './Draft.tsx'

const update = endpoint({
  method: 'PUT',
  path: '/schools/:id',
  access: 'schools.update',
  body: v.object({ name, admin_code: name, password: v.optional(v.string()), version: v.number() }),
  answer: done,
})
const coura = { name: 'Coura', admin_code: 'C-1', password: '', version: 3 }

function Edit({ school, read, onClose }: { school: typeof coura; read?: typeof coura; onClose: () => void }) {
  const form = useEndpointForm(update, {
    params: { id: 7 },
    defaults: school,
    refetches: [],
    draft: true,
    onDone: onClose,
  })
  return (
    <FormDialog title="Edit school" form={withoutConflict(form)} onClose={onClose}>
      <Conflict
        form={form}
        read={async () => read ?? school}
        fields={{ name: { label: 'School name' }, admin_code: null, password: null }}
      />
      <TextField control={form.control} name="name" label="School name" />
      <TextField control={form.control} name="password" label="Password" />
    </FormDialog>
  )
}

/** What the server keeps for this session, and what it says to a change of the school. */
let kept: { values: object; opened: object; saved_at: string } | null
let away: boolean
let refusal: { status: number; body: object } | null
/** What the reading of a draft waits for. */
let slow: () => Promise<void> | undefined
const server: Answers = async ({ url, method, body }) => {
  if (away) throw new TypeError('failed')
  if (!url.startsWith('/api/drafts')) return refusal ?? { body: { message: 'School updated' } }
  if (method === 'PUT') kept = { ...(body as { values: object; opened: object }), saved_at: at }
  if (method === 'DELETE') kept = null
  if (method === 'GET') await slow()
  return { body: method === 'GET' ? { draft: kept } : { message: '' } }
}
const at = new Date().toISOString()
const field = (label: string) =>
  document.getElementById(
    [...document.querySelectorAll('label')].find((each) => each.textContent?.startsWith(label))?.htmlFor ??
      '',
  ) as HTMLInputElement
/** Lets time pass, and then the calls that began in it be answered. */
const settle = (ms = 0) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
    for (let turn = 0; turn < 10; turn++) await vi.advanceTimersByTimeAsync(0)
  })
const told = () => document.querySelector('.notice')?.textContent ?? ''
const save = async () => {
  await act(async () => document.querySelector('form')?.requestSubmit())
  await settle()
}
async function open(school = coura, read?: typeof coura) {
  const onClose = vi.fn()
  const drawn = await drawInShell(<Edit school={school} read={read} onClose={onClose} />, server)
  await act(() => vi.dynamicImportSettled())
  // The form is drawn before what keeps it has been fetched.
  for (let turn = 0; turn < 200 && drawn.calls.length === 0; turn++) await settle()
  await settle()
  return { ...drawn, onClose }
}
/** The tab is closed, or the page crashes: the form is gone, and nobody has sent or left it. */
async function lose(page: Awaited<ReturnType<typeof open>>) {
  await page.end()
  await settle()
}

/** Shows nothing of a page that throws, as the shell does until *Try again*. */
class Boundary extends Component<{ children: ReactNode }> {
  override state = { fault: false }
  static getDerivedStateFromError = () => ({ fault: true })
  override render = () => (this.state.fault ? null : this.props.children)
}
function Crashing() {
  const [broken, setBroken] = useState(false)
  if (broken) throw new Error('The page cannot be drawn')
  return (
    <>
      <button type="button" onClick={() => setBroken(true)}>
        Break
      </button>
      <Edit school={coura} onClose={() => {}} />
    </>
  )
}

beforeEach(() => {
  vi.useFakeTimers()
  ;[kept, away, refusal] = [null, false, null]
  slow = () => undefined
})
afterEach(() => vi.useRealTimers())

test('a person who closed the tab finds what she typed, and reads when', async () => {
  const page = await open()
  expect(told()).toBe('')
  await type(field('School name'), 'Coura Nord')
  await type(field('Password'), 'never kept')
  await settle(800)
  expect(kept).toMatchObject({
    values: { name: 'Coura Nord' },
    opened: { name: 'Coura', admin_code: 'C-1', version: 3 },
  })
  expect(JSON.stringify(kept)).not.toMatch(/never kept|password/)
  await lose(page)
  const again = await open()
  expect(field('School name').value).toBe('Coura Nord')
  expect(told()).toBe(`We kept what you typed at ${at.slice(11, 16)}.Discard`)
  await save()
  expect(again.calls.find(({ url }) => url === '/api/schools/7')?.body).toEqual({
    ...coura,
    name: 'Coura Nord',
  })
  await again.end()
  await settle()
  expect(kept).toBeNull()
})

test('a person who leaves the form has agreed to lose what she typed', async () => {
  const page = await open()
  await type(field('School name'), 'Coura Nord')
  await settle(800)
  expect(kept).not.toBeNull()
  await click(named('Cancel'))
  await click(named('Leave'))
  expect(page.onClose).toHaveBeenCalledOnce()
  await page.end()
  await settle()
  expect(kept).toBeNull()
})

test('a person who goes to another page has agreed to lose what she typed, too', async () => {
  const page = await open()
  await type(field('School name'), 'Coura Nord')
  await settle(800)
  const before = window.location.pathname
  window.history.pushState(null, '', '/elsewhere')
  await page.end()
  await settle()
  window.history.pushState(null, '', before)
  expect(kept).toBeNull()
})

test('a person whose page crashed finds what she typed when she opens the form again', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const page = await drawInShell(
    <Boundary>
      <Crashing />
    </Boundary>,
    server,
  )
  await act(() => vi.dynamicImportSettled())
  await settle()
  await type(field('School name'), 'Coura Nord')
  await settle(800)
  await click(named('Break'))
  await settle()
  logged.mockRestore()
  expect(document.querySelector('form')).toBeNull()
  expect(kept).toMatchObject({ values: { name: 'Coura Nord' } })
  await page.end()
  const again = await open()
  expect(field('School name').value).toBe('Coura Nord')
  await again.end()
})

test('a form that is closed as it was opened asks for nothing to be deleted', async () => {
  const page = await open()
  await page.end()
  await settle(800)
  expect(page.calls.map(({ method }) => method)).toEqual(['GET'])
})

test('what was kept can be discarded, and taken back', async () => {
  kept = { values: { name: 'Coura Nord' }, opened: coura, saved_at: at }
  const page = await open()
  await click(named('Discard'))
  await settle(800)
  expect(field('School name').value).toBe('Coura')
  expect(kept).toBeNull()
  await click(named('Undo'))
  await settle(800)
  expect(field('School name').value).toBe('Coura Nord')
  expect(kept).toMatchObject({ values: { name: 'Coura Nord' } })
  await page.end()
})

test('what she types before the answer comes stays, beside what was kept', async () => {
  kept = { values: { name: 'Coura Nord' }, opened: coura, saved_at: at }
  away = true
  const page = await open()
  await type(field('Password'), 'just typed')
  away = false
  await settle(800)
  expect(field('School name').value).toBe('Coura Nord')
  expect(field('Password').value).toBe('just typed')
  await page.end()
})

test('without a connection the form goes on, and keeps her words when it is back', async () => {
  const page = await open()
  away = true
  await type(field('School name'), 'Coura Nord')
  await settle(800)
  expect(page.messages).toEqual([])
  expect(told()).toBe('')
  away = false
  await settle(10_000)
  expect(kept).toMatchObject({ values: { name: 'Coura Nord' } })
  await page.end()
})

test('a draft that is older than the school leads to what the others have changed', async () => {
  kept = { values: { name: 'Coura Nord' }, opened: coura, saved_at: at }
  const now = { ...coura, name: 'Coura Sud', version: 4 }
  const page = await open(now, now)
  expect(field('School name').value).toBe('Coura Nord')
  refusal = { status: 409, body: { message: 'Changed' } }
  await save()
  const sent = () => page.calls.filter(({ url }) => url === '/api/schools/7').map(({ body }) => body)
  expect(sent()).toEqual([{ ...coura, name: 'Coura Nord' }])
  const view = [...document.querySelectorAll('[role=alert]')].map((each) => each.textContent).join()
  expect(view).toContain('Somebody else has saved this meanwhile.')
  expect(view).toContain('School name CouraCoura Sud(yours: Coura Nord)')
  refusal = null
  await click(named('Save mine over it'))
  await settle()
  expect(sent()[1]).toEqual({ ...coura, name: 'Coura Nord', version: 4 })
  await page.end()
})

test('a person on a slow line who discards what was kept does not get it back', async () => {
  kept = { values: { name: 'Coura Nord' }, opened: coura, saved_at: at }
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reads = [first, second]
  slow = () => reads.shift()?.promise
  const page = await open()
  await type(field('Password'), 'just typed')
  // Long enough to be kept, but the earlier draft has not come yet.
  await settle(800)
  first.resolve()
  await settle()
  await click(named('Discard'))
  second.resolve()
  await settle()
  expect(field('School name').value).toBe('Coura')
  await page.end()
})
