import { recordsOf } from '@portal/contracts/records'
import { press, type } from '@portal/ui/test-render'
import { act, useState } from 'react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FormDialog } from './FormDialog.tsx'
import { ReferenceField } from './ReferenceField.tsx'
import { ReferenceFilter } from './ReferenceFilter.tsx'
import { type Answers, drawInShell } from './test-host.tsx'
import { useEndpointForm } from './useEndpointForm.tsx'

const meals = recordsOf('mfe-meals', 'meals', v.object({ school: v.number('required') }), {
  read: 'schools.view',
  write: 'schools.view',
})
const coura = { id: 7, code: 'KIT-007', name: 'Coura', place: 'Kita' }
const nord = { id: 8, code: 'KIT-008', name: 'Coura Nord', place: 'Kita' }

type Known = { code: string; name: string } | null | undefined

function MealDialog({ school, known, onClose }: { school?: number; known?: Known; onClose: () => void }) {
  const data = school ? { school } : {}
  const form = useEndpointForm(meals.create, { refetches: [], defaults: { data }, onDone: onClose })
  return (
    <FormDialog title="Meal" form={form} onClose={onClose} submitLabel="Record">
      <ReferenceField
        control={form.control}
        name="data.school"
        label="School"
        endpoint={meals.references}
        known={known}
      />
    </FormDialog>
  )
}

const box = () => document.querySelector<HTMLInputElement>('[role=combobox]') as HTMLInputElement
const options = () => [...document.querySelectorAll('[role=option]')].map((one) => one.textContent)
const status = () => document.querySelector('.choices-status')?.textContent
/** Each step draws before the next one begins: the pause, the call, and its answer. */
const pass = async () => {
  for (const ms of [300, 1, 1]) await act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
}
const ask = async (text: string) => {
  await type(box(), text)
  await pass()
}

const finding: Answers = ({ method, url }) => {
  if (method === 'POST') return { body: { message: 'Saved', record: {} } }
  const { searchParams } = new URL(url, 'http://portal.invalid')
  const [search, id] = [searchParams.get('search') ?? '', Number(searchParams.get('id'))]
  const things = [coura, nord].filter((one) => (id ? one.id === id : one.name.includes(search)))
  return { body: { things, more: search === 'C' } }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a cook finds the school by its name with the keys alone, and its id is what is sent', async () => {
  const onClose = vi.fn()
  const { calls, end } = await drawInShell(<MealDialog onClose={onClose} />, finding)
  await ask('C')
  expect(options()).toEqual(['CouraKIT-007 · Kita', 'Coura NordKIT-008 · Kita'])
  expect(status()).toBe('There are more. Write another word of the name.')
  await press(box(), 'ArrowDown')
  await press(box(), 'Enter')
  expect([box().value, options()]).toEqual(['Coura Nord (KIT-008)', []])
  await act(async () => document.querySelector('form')?.requestSubmit())
  await pass()
  expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { data: { school: 8 } },
  ])
  await end()
})

test('a cook reads that nothing matches, leaves the list by Escape, and the dialog with her school stays', async () => {
  const onClose = vi.fn()
  const { calls, end } = await drawInShell(<MealDialog school={7} known={coura} onClose={onClose} />, finding)
  expect(box().value).toBe('Coura (KIT-007)')
  expect(calls).toHaveLength(0)
  await ask('xyz')
  expect([options(), status()]).toEqual([[], 'Nothing matches “xyz”.'])
  await press(box(), 'Escape')
  expect([box().value, status()]).toEqual(['Coura (KIT-007)', ''])
  expect(onClose).not.toHaveBeenCalled()
  await press(box(), 'Escape')
  expect(onClose).toHaveBeenCalled()
  await end()
})

test('who may not see a school reads its number, and why nothing can be searched', async () => {
  const refusing: Answers = () => ({ status: 403, body: { message: 'You may not see schools.' } })
  const { end } = await drawInShell(
    <MealDialog school={7} known={null} onClose={() => undefined} />,
    refusing,
  )
  expect(box().value).toBe('No. 7, which you may not see')
  await ask('Coura')
  expect(status()).toBe('Access Denied: You may not see schools.')
  await end()
})

function Narrowed() {
  const [school, setSchool] = useState('7')
  return (
    <>
      <ReferenceFilter
        endpoint={meals.references}
        field="school"
        label="School"
        value={school}
        onChange={setSchool}
      />
      <output>{school}</output>
    </>
  )
}

test('a list says which school of its address it is narrowed to, and of none once the name is deleted', async () => {
  const { end } = await drawInShell(<Narrowed />, finding)
  await pass()
  expect(box().value).toBe('Coura (KIT-007)')
  await ask('')
  expect(document.querySelector('output')?.textContent).toBe('')
  expect(options()).toHaveLength(2)
  await press(box(), 'ArrowDown')
  await press(box(), 'Enter')
  expect(document.querySelector('output')?.textContent).toBe('8')
  await end()
})

test('a cook who presses Enter before her words were searched chooses nothing that other words have found', async () => {
  const { end } = await drawInShell(<Narrowed />, finding)
  await pass()
  await ask('C')
  await type(box(), 'Coura Nord')
  await press(box(), 'Enter')
  expect([document.querySelector('output')?.textContent, box().value]).toEqual(['7', 'Coura Nord'])
  expect(document.querySelector('[role=listbox]')?.getAttribute('aria-busy')).toBe('true')
  await press(box(), 'Escape')
  // The list was closed, and opens again with what it had.
  await type(box(), 'Nord')
  await press(box(), 'Enter')
  expect(document.querySelector('output')?.textContent).toBe('7')
  await pass()
  await press(box(), 'Enter')
  expect(document.querySelector('output')?.textContent).toBe('8')
  await end()
})

test('a cook whose school could not be read for a fault of the portal does not read that she may not see it', async () => {
  const { end } = await drawInShell(<MealDialog school={7} onClose={() => undefined} />, () => ({
    status: 500,
    body: { message: 'Boom' },
  }))
  await pass()
  expect(box().value).toBe('No. 7, which could not be read')
  await end()
})

test('a cook who goes down a long list by keys always sees the choice that she is at', async () => {
  const shown: (string | null)[] = []
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this.textContent)
  })
  const { end } = await drawInShell(<MealDialog onClose={() => undefined} />, finding)
  await ask('C')
  await press(box(), 'ArrowDown')
  await press(box(), 'ArrowDown')
  expect(shown).toEqual(['Coura NordKIT-008 · Kita', 'CouraKIT-007 · Kita'])
  vi.restoreAllMocks()
  await end()
})
