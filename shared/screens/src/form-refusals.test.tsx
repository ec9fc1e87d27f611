import { type } from '@portal/ui/test-render'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { alert, Close, Correct, Edit, errorAt, field, save, serving } from './test-forms.tsx'
import { drawInShell } from './test-host.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

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
