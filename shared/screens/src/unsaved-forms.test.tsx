import { NumberField } from '@portal/ui/NumberField'
import { TextField } from '@portal/ui/TextField'
import { click, named, type } from '@portal/ui/test-render'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  alert,
  Edit,
  empty,
  field,
  Refuse,
  RefuseLater,
  rename,
  save,
  serving,
  settle,
} from './test-forms.tsx'
import { drawInShell } from './test-host.tsx'
import { useEndpointForm } from './useEndpointForm.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

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
