import { endpoint } from '@portal/contracts/endpoint'
import { done, name, page, whole } from '@portal/contracts/fields'
import { activate, loadCatalog } from '@portal/i18n/locale'
import { NumberField } from '@portal/ui/NumberField'
import { TextField } from '@portal/ui/TextField'
import { click, named, type } from '@portal/ui/test-render'
import { act } from 'react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { FormDialog } from './FormDialog.tsx'
import { type Answers, drawInShell } from './test-host.tsx'
import { useEndpointForm } from './useEndpointForm.tsx'
import { useList } from './useList.tsx'

const list = endpoint({
  method: 'GET',
  path: '/schools',
  access: 'schools.view',
  answer: v.object({ schools: page(v.object({ id: v.number(), name: v.string() })) }),
})
const rename = endpoint({
  method: 'PUT',
  path: '/schools/:id',
  access: 'schools.update',
  body: v.object({ name, classes: whole(1, 20) }),
  answer: done,
})

function Edit({ onClose }: { onClose: () => void }) {
  const schools = useList(list, 'schools')
  const form = useEndpointForm(rename, {
    params: { id: 7 },
    defaults: { name: 'Coura', classes: 6, id: 7, created_at: 'read only' },
    refetches: [list],
    onDone: onClose,
  })
  return (
    <>
      {schools.items.length}
      <FormDialog title="Edit school" form={form} onClose={onClose}>
        <TextField control={form.control} name="name" label="School name" />
        <NumberField control={form.control} name="classes" label="Classes" />
      </FormDialog>
    </>
  )
}

const correct = endpoint({
  method: 'PUT',
  path: '/records/:id',
  access: 'schools.update',
  body: v.object({ data: v.object({ title: name, kind: name }) }),
  answer: done,
})

/** A record of a module: its fields are those of `data`. */
function Correct() {
  const defaults = { data: { title: 'Well', kind: 'pump' } }
  const form = useEndpointForm(correct, { params: { id: 7 }, defaults, refetches: [] })
  return (
    <FormDialog title="Correct" form={form} onClose={() => undefined}>
      <TextField control={form.control} name="data.title" label="Title" />
      <TextField control={form.control} name="data.kind" label="Kind" />
    </FormDialog>
  )
}

function Refuse({ onClose, barred }: { onClose: () => void; barred?: string | undefined }) {
  const form = useEndpointForm(rename, { params: { id: 7 }, defaults: {}, refetches: [] })
  return (
    <ConfirmDialog
      title="Refuse the list"
      form={form}
      onClose={onClose}
      confirmLabel="Refuse"
      barred={barred}
    >
      <TextField control={form.control} name="name" label="Reason" />
    </ConfirmDialog>
  )
}

/** Sends the classes along; with `asks` it draws them once they were refused. */
function Close({ asks }: { asks?: boolean }) {
  const defaults = { name: 'Coura', classes: 6 }
  const form = useEndpointForm(rename, { params: { id: 7 }, defaults, refetches: [] })
  return (
    <FormDialog title="Close" form={form} onClose={() => undefined}>
      <TextField control={form.control} name="name" label="Name again" />
      {asks && form.fields.formState.errors.classes && (
        <NumberField control={form.control} name="classes" label="Classes" />
      )}
    </FormDialog>
  )
}

/** The dialog is drawn before the answer that says whether the act is possible. */
function RefuseLater() {
  const schools = useList(list, 'schools')
  return <Refuse onClose={() => undefined} barred={schools.page ? undefined : 'It is being looked up.'} />
}

const empty = { schools: { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 } }
const serving =
  (answer: ReturnType<Answers>): Answers =>
  (call) =>
    call.method === 'PUT' ? answer : { body: empty }
const field = (label: string) =>
  document.getElementById(
    [...document.querySelectorAll('label')].find((each) => each.textContent?.startsWith(label))?.htmlFor ??
      '',
  ) as HTMLInputElement
const errorAt = (label: string) => field(label).closest('.field')?.querySelector('.error-text')?.textContent
const alert = () => document.querySelector('[role="alert"]')?.textContent?.trim()
const settle = (ms = 0) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
const save = async () => {
  await act(async () => document.querySelector('form')?.requestSubmit())
  await settle()
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a change is sent once, read by the schema, and what was read before is fetched twice more', async () => {
  const onClose = vi.fn()
  const { calls, messages, end } = await drawInShell(
    <Edit onClose={onClose} />,
    serving({ body: { message: 'School updated' } }),
  )
  await settle()
  await type(field('School name'), '  Coura Nord ')
  await act(async () => {
    document.querySelector('form')?.requestSubmit()
    document.querySelector('form')?.requestSubmit()
  })
  await settle()
  const puts = calls.filter((call) => call.method === 'PUT')
  expect(puts).toMatchObject([{ url: '/api/schools/7', body: { name: 'Coura Nord', classes: 6 } }])
  expect(onClose).toHaveBeenCalledOnce()
  expect(messages).toEqual(['School updated'])
  const gets = () => calls.filter((call) => call.method === 'GET').length
  expect(gets()).toBe(2)
  await settle(3000)
  expect(gets()).toBe(3)
  await end()
})

test('what the schema refuses is said at its field, without a call, and follows the language', async () => {
  const { calls, end } = await drawInShell(<Edit onClose={() => undefined} />, serving({ body: {} }))
  await type(field('School name'), ' ')
  await type(field('Classes'), '200')
  await save()
  expect(errorAt('School name')).toBe('Fill in this field.')
  expect(errorAt('Classes')).toBe('Write a number from 1 to 20.')
  expect(alert()).toMatch(/^Error: Your request has validation errors!/)
  expect(calls.filter((call) => call.method === 'PUT')).toEqual([])
  await act(async () => {
    loadCatalog('fr', {})
    activate('fr')
  })
  await settle()
  expect(errorAt('School name')).toBe('Remplissez ce champ.')
  await end()
})

test('what the server refuses is said at its field, the first sentence of each, with the general one above', async () => {
  const errors = {
    name: ['This name is taken.', 'Second'],
    'classes.total': ['Too many.'],
    other: ['Belongs nowhere.'],
  }
  const { end } = await drawInShell(
    <Edit onClose={() => undefined} />,
    serving({ status: 422, body: { message: 'Invalid', errors } }),
  )
  await save()
  expect(errorAt('School name')).toBe('This name is taken.')
  expect(errorAt('Classes')).toBe('Too many.')
  expect(alert()).toBe(
    'Error: Your request has validation errors! Please make sure all required fields are filled accordingly and try again. Belongs nowhere.',
  )
  await end()
})

test('a person who mends what was refused reads no more that there are errors, before she sends it again', async () => {
  const errors = { name: ['This name is taken.'], 'classes.total': ['Too many.'] }
  const answer = { status: 422, body: { message: 'Invalid', errors } }
  const { end } = await drawInShell(<Edit onClose={() => undefined} />, serving(answer))
  await type(field('School name'), ' ')
  await type(field('Classes'), '200')
  await save()
  await type(field('School name'), 'Coura Sud')
  expect(alert()).toMatch(/^Error: Your request has validation errors!/)
  await type(field('Classes'), '12')
  expect(alert()).toBeUndefined()
  // The same for what only the server knows.
  await save()
  expect(errorAt('School name')).toBe('This name is taken.')
  expect(alert()).toMatch(/^Error: Your request has validation errors!/)
  await type(field('School name'), 'Coura Ouest')
  expect(alert()).toMatch(/^Error: Your request has validation errors!/)
  await type(field('Classes'), '11')
  expect(alert()).toBeUndefined()
  await end()
})

test('a person who mends a field goes on to read what the server said of no field', async () => {
  const errors = { name: ['This name is taken.'], other: ['Belongs nowhere.'] }
  const answer = { status: 422, body: { message: 'Invalid', errors } }
  const { end } = await drawInShell(<Edit onClose={() => undefined} />, serving(answer))
  await save()
  await type(field('School name'), 'Coura Ouest')
  expect(errorAt('School name')).toBeUndefined()
  expect(alert()).toMatch(/Belongs nowhere\.$/)
  await end()
})

test('what the server refuses of a record is said at each of its fields', async () => {
  const errors = { 'data.title': ['Title: Too long.'], 'data.kind': ['Kind: Choose one of the list.'] }
  const { end } = await drawInShell(
    <Correct />,
    serving({ status: 422, body: { message: 'Invalid', errors } }),
  )
  await save()
  expect([errorAt('Title'), errorAt('Kind')]).toEqual(['Title: Too long.', 'Kind: Choose one of the list.'])
  await end()
})

test('what the server refuses of a field that the dialog does not draw is said above the form', async () => {
  const errors = { name: ['This name is taken.'], 'classes.total': ['A class has no room.'] }
  const { calls, end } = await drawInShell(
    <Close />,
    serving({ status: 422, body: { message: 'Invalid', errors } }),
  )
  await save()
  expect(calls.at(-1)?.body).toEqual({ name: 'Coura', classes: 6 })
  expect(alert()).toMatch(/try again\. A class has no room\.$/)
  expect(errorAt('Name again')).toBe('This name is taken.')
  await type(field('Name again'), 'Coura Ouest')
  expect(alert()).toMatch(/A class has no room\.$/)
  await end()
})

test('a field that is drawn because it was refused says why, and nothing above the form does', async () => {
  const errors = { classes: ['Is this right?'] }
  const { end } = await drawInShell(
    <Close asks />,
    serving({ status: 422, body: { message: 'Invalid', errors } }),
  )
  await save()
  expect(errorAt('Classes')).toBe('Is this right?')
  expect(alert()).toMatch(/try again\.$/)
  await end()
})

test.each([
  ['the network is gone', new TypeError('failed'), 'An unexpected error occurred. Please try again later.'],
  [
    'the session has ended',
    { status: 401, body: { message: 'Sign in.' } },
    'Your session had ended, so nothing was saved. Send it again.',
  ],
  ['the token is refused twice', { status: 419, body: { message: 'Reload the page.' } }, 'Reload the page.'],
  [
    'the server fails',
    { status: 500, body: { message: 'Boom', request_id: 'r-1' } },
    'Server Error: Boom Reference r-1.',
  ],
])('what was typed stays when %s', async (_, answer, sentence) => {
  const onClose = vi.fn()
  const { end } = await drawInShell(<Edit onClose={onClose} />, serving(answer))
  await type(field('School name'), 'Coura Sud')
  await save()
  expect(alert()).toBe(sentence)
  expect(field('School name').value).toBe('Coura Sud')
  expect(onClose).not.toHaveBeenCalled()
  await end()
})

test('a person without a connection reads so, and that nothing she typed is lost', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { end } = await drawInShell(<Edit onClose={() => undefined} />, serving(new TypeError('failed')))
  await type(field('School name'), 'Coura Sud')
  await save()
  onLine.mockRestore()
  expect(alert()).toBe(
    'There is no connection to the portal. Nothing is lost: what you typed stays here, send it again when the connection is back.',
  )
  expect(field('School name').value).toBe('Coura Sud')
  await end()
})

test.each(['Close', 'Cancel'])('leaving a changed form by %s asks first', async (way) => {
  const onClose = vi.fn()
  const { end } = await drawInShell(<Edit onClose={onClose} />, serving({ body: {} }))
  await type(field('School name'), 'Coura Sud')
  await click(named(way))
  expect(onClose).not.toHaveBeenCalled()
  expect(alert()).toContain('You have changes that are not saved.')
  await end()
})

test('Cancel of a question with a comment asks first too, once something was typed', async () => {
  const onClose = vi.fn()
  const { end } = await drawInShell(<Refuse onClose={onClose} />, serving({ body: {} }))
  await type(field('Reason'), 'Two names twice')
  await click(named('Cancel'))
  expect(onClose).not.toHaveBeenCalled()
  await click(named('Leave'))
  expect(onClose).toHaveBeenCalledOnce()
  await end()
})

test('a person who types her reason while the portal looks up whether she may act keeps her focus and her words', async () => {
  const look = Promise.withResolvers<{ body: unknown }>()
  const { calls, end } = await drawInShell(<RefuseLater />, (call) =>
    call.method === 'PUT' ? { body: {} } : look.promise,
  )
  const reason = field('Reason')
  reason.focus()
  await type(reason, 'Two names')
  await save()
  expect(calls.filter((call) => call.method === 'PUT')).toEqual([])
  expect(named('Refuse')?.hasAttribute('disabled')).toBe(true)
  look.resolve({ body: empty })
  await settle()
  expect(named('Refuse')?.hasAttribute('disabled')).toBe(false)
  expect(field('Reason')).toBe(reason)
  expect(document.activeElement).toBe(reason)
  expect(reason.value).toBe('Two names')
  await end()
})

test('a person who goes elsewhere while her form is sent is asked first, until it has been saved', async () => {
  let sending = Promise.withResolvers<{ status?: number; body: unknown }>()
  const guarded: boolean[] = []
  const { unsaved, end } = await drawInShell(
    <Edit onClose={() => guarded.push(unsaved.size > 0)} />,
    ({ method }) => (method === 'PUT' ? sending.promise : { body: empty }),
  )
  await type(field('School name'), 'Coura Sud')
  await save()
  expect(unsaved.size).toBe(1)
  sending.resolve({ status: 500, body: { message: 'Boom' } })
  await settle()
  expect(unsaved.size).toBe(1)
  sending = Promise.withResolvers()
  await save()
  expect(unsaved.size).toBe(1)
  sending.resolve({ body: { message: 'School updated' } })
  await settle()
  // Whatever follows the success, like a way to another page, is asked no more.
  expect(guarded).toEqual([false])
  await end()
})

/** A form of a page, which stays when it was saved. */
function Names() {
  const form = useEndpointForm(rename, {
    params: { id: 7 },
    defaults: { name: 'Coura', classes: 6 },
    refetches: [],
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <TextField control={form.control} name="name" label="School name" />
      <NumberField control={form.control} name="classes" label="Classes" />
      <output>{form.dirty ? 'unsaved' : 'saved'}</output>
    </form>
  )
}

test('a person who goes on typing while her form is sent keeps what she typed, and is asked before she leaves', async () => {
  const sending = Promise.withResolvers<{ body: unknown }>()
  const { unsaved, calls, end } = await drawInShell(<Names />, () => sending.promise)
  await type(field('School name'), 'Coura Sud')
  await save()
  await type(field('Classes'), '9')
  sending.resolve({ body: { message: 'School updated' } })
  await settle()
  expect([field('School name').value, field('Classes').value]).toEqual(['Coura Sud', '9'])
  expect(document.querySelector('output')?.textContent).toBe('unsaved')
  expect(unsaved.size).toBe(1)
  await save()
  expect(calls.at(-1)?.body).toEqual({ name: 'Coura Sud', classes: 9 })
  expect(document.querySelector('output')?.textContent).toBe('saved')
  expect(unsaved.size).toBe(0)
  await end()
})
