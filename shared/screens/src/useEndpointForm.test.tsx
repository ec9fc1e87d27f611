import { activate, loadCatalog } from '@portal/i18n/locale'
import { type } from '@portal/ui/test-render'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Add, alert, Edit, empty, errorAt, field, save, serving, settle } from './test-forms.tsx'
import { type Answers, drawInShell } from './test-host.tsx'

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

test('a form that makes something has one key until it is saved, and another one after that', async () => {
  const answers = [new TypeError('failed'), { body: { message: 'Added' } }, { body: { message: 'Added' } }]
  const { calls, end } = await drawInShell(<Add />, (call) =>
    call.method === 'POST' ? (answers.shift() as ReturnType<Answers>) : { body: empty },
  )
  await settle()
  for (const _ of ['lost', 'saved', 'another']) {
    await type(field('School name'), `Coura ${answers.length}`)
    await save()
  }
  const keys = calls.filter(({ method }) => method === 'POST').map(({ form }) => form)
  expect(keys).toHaveLength(3)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
  await end()
})
