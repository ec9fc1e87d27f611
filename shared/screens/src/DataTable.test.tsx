import { endpoint } from '@portal/contracts/endpoint'
import { listQuery, page } from '@portal/contracts/fields'
import { click, named, press, type } from '@portal/ui/test-render'
import { act } from 'react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DataTable } from './DataTable.tsx'
import { type Answers, drawInShell } from './test-host.tsx'
import { answer, School, Schools, settle } from './test-schools.tsx'
import { useList } from './useList.tsx'

const houses = endpoint({
  method: 'GET',
  path: '/houses',
  access: 'schools.view',
  query: listQuery(['name', 'nearest'], {
    region: v.optional(v.string()),
    cap: v.optional(v.string()),
    type: v.optional(v.string()),
    water: v.optional(v.string()),
  }),
  answer: v.object({ schools: page(School) }),
})

/** A list with more filters than a line has room for; one of them comes after another. */
function Houses() {
  const list = useList(houses, 'schools')
  const select = (name: 'region' | 'cap' | 'type' | 'water', label: string, option: string) => ({
    name,
    label,
    as: 'select' as const,
    all: `Any ${name}`,
    options: [{ value: '7', label: option }],
  })
  return (
    <DataTable
      label="Houses"
      list={list}
      columns={[{ key: 'name', header: 'School name', sortable: true }]}
      empty="No data available"
      filters={[
        select('region', 'Region', 'KAYES'),
        { ...select('cap', 'CAP', 'Kati'), later: list.view.filter('region') === '' },
        select('type', 'Type', 'Public'),
        select('water', 'Water', 'Well'),
      ]}
    />
  )
}

const urls = (calls: { url: string }[]) => calls.map((call) => call.url.replace('/api/schools', ''))
const search = () => document.querySelector('input[type="search"]') as HTMLInputElement

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('page, search, sort and filters of the address are what is asked for; what the list does not know is not', async () => {
  const at = '/list?page=2&search=nord&sort=-name&status=active&colour=red&per_page=999'
  const { calls, box, end } = await drawInShell(<Schools />, () => answer(['Coura Nord'], 2, 16), at)
  await settle()
  expect(urls(calls)).toEqual(['?page=2&search=nord&sort=-name&status=active'])
  expect(search().value).toBe('nord')
  expect(box.querySelector('th')?.getAttribute('aria-sort')).toBe('descending')
  expect(named('Active')?.getAttribute('aria-pressed')).toBe('true')
  expect(box.textContent).toContain('16-16 of 16')
  await end()
})

test('typing asks once when it pauses and starts at the first page; the rows before stay meanwhile', async () => {
  const { calls, box, place, end } = await drawInShell(
    <Schools />,
    (call) => (call.url.includes('search') ? new Promise(() => undefined) : answer(['Coura'], 2, 16)),
    '/list?page=2',
  )
  await settle()
  await type(search(), 'n')
  await type(search(), 'no')
  await settle(400)
  expect(urls(calls)).toEqual(['?page=2', '?search=no'])
  expect(place.current).toBe('/list?search=no')
  expect(box.textContent).toContain('Coura')
  await end()
})

test('whoever clears all just after typing does not find the search back', async () => {
  const { calls, place, end } = await drawInShell(<Schools />, () => answer(['Coura']), '/list?status=active')
  await settle()
  await type(search(), 'nord')
  await click(named('Clear all'))
  await settle(400)
  expect(urls(calls)).toEqual(['?status=active', ''])
  expect(place.current).toBe('/list')
  expect(search().value).toBe('')
  await end()
})

test('a person whose filter a list refuses reads what is wrong with it', async () => {
  const { box, end } = await drawInShell(<Schools />, () => ({
    status: 422,
    body: {
      message: 'Error: Form has validation errors!',
      errors: { since: ['The end date is before the start date.'] },
    },
  }))
  await settle()
  expect(box.textContent).toContain('The end date is before the start date.')
  expect(box.textContent).not.toContain('validation errors')
  await end()
})

test('a page, an order and a filter each go into the address', async () => {
  const { place, end } = await drawInShell(<Schools />, () => answer(['Coura'], 1, 31))
  await settle()
  await click(named('2'))
  expect(place.current).toBe('/list?page=2')
  await settle()
  await click(document.querySelector('th button'))
  expect(place.current).toBe('/list?sort=name')
  await settle()
  await click(named('Active'))
  expect(place.current).toBe('/list?sort=name&status=active')
  await end()
})

test('a choice of many and a day filter too, the day once it is one, and all are cleared at once', async () => {
  const { box, place, end } = await drawInShell(<Schools />, () => answer(['Coura']))
  await settle()
  const select = box.querySelector<HTMLSelectElement>('select[aria-label="CAP"]')
  await act(async () => {
    if (select) select.value = '7'
    select?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  expect(place.current).toBe('/list?cap=7')
  const day = box.querySelector<HTMLInputElement>('input[aria-label="Since"]')
  if (!day) throw new Error('There is no day to filter by.')
  await type(day, '01/02/20')
  expect(place.current).toBe('/list?cap=7')
  await type(day, '01/02/2026')
  expect(place.current).toBe('/list?cap=7&since=2026-02-01')
  await settle()
  expect(day.value).toBe('01/02/2026')
  await click(named('Clear all'))
  expect(place.current).toBe('/list')
  expect(day.value).toBe('')
  await end()
})

test('a person with many filters finds them behind one button, and removes those that are set one by one', async () => {
  const { box, place, end } = await drawInShell(<Houses />, () => answer(['Coura']), '/list?type=7&water=7')
  await settle()
  expect(box.querySelector('.filters select')).toBeNull()
  const button = named('Filters 2') as HTMLButtonElement
  await click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  const panel = box.querySelector<HTMLElement>('[role="dialog"]')
  expect([...(panel?.querySelectorAll('label') ?? [])].map((label) => label.textContent)).toEqual([
    'Region',
    'Type',
    'Water',
  ])
  const region = panel?.querySelector('select')
  expect(document.activeElement).toBe(region)
  await act(async () => {
    if (region) region.value = '7'
    region?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  expect(place.current).toBe('/list?type=7&water=7&region=7')
  expect(panel?.querySelectorAll('label')).toHaveLength(4)
  await press(region ?? null, 'Escape')
  expect(box.querySelector('[role="dialog"]')).toBeNull()
  expect(document.activeElement).toBe(button)
  await click(named('Remove filter Type: Public'))
  expect(place.current).toBe('/list?water=7&region=7')
  expect(document.activeElement).toBe(button)
  await click(named('Clear all'))
  expect(place.current).toBe('/list')
  expect(named('Filters')).toBe(button)
  await end()
})

test('a list in an order that no column shows has no arrow', async () => {
  const { box, calls, end } = await drawInShell(<Houses />, () => answer(['Coura']), '/list?sort=-nearest')
  await settle()
  expect(calls[0]?.url).toContain('sort=-nearest')
  expect(box.querySelector('th[aria-sort]')).toBeNull()
  await end()
})

test('an empty list says so, and a search without a match offers to clear it', async () => {
  const { box, place, end } = await drawInShell(<Schools />, () => answer([]), '/list?search=zzz')
  await settle()
  expect(box.textContent).toContain('Nothing matches your search')
  await click(named('Clear all'))
  await settle()
  expect(place.current).toBe('/list')
  expect(box.textContent).toContain('No data available')
  await end()
})

test('a list that cannot be read says why and tries again', async () => {
  let broken = true
  const { box, end } = await drawInShell(<Schools />, () =>
    broken ? { status: 500, body: { message: 'the disk is full', request_id: 'r-1' } } : answer(['Coura']),
  )
  await settle()
  expect(box.textContent).toContain('Server Error: the disk is full')
  expect(box.textContent).toContain('Reference r-1.')
  broken = false
  await click(named('Try again'))
  await settle()
  expect(box.textContent).toContain('Coura')
  await end()
})

test('rows that are gone lead to the last page there is', async () => {
  const { place, end } = await drawInShell(
    <Schools />,
    (call) => (call.url.includes('page=3') ? answer([], 3, 16) : answer(['Coura'], 2, 16)),
    '/list?page=3',
  )
  await settle()
  expect(place.current).toBe('/list?page=2')
  await end()
})

test('whoever may not do anything with a row is offered no menu', async () => {
  const { end } = await drawInShell(<Schools />, () => answer(['Coura']), '/list', ['schools.update'])
  await settle()
  expect(named('Actions')).toBeUndefined()
  await end()
})

test('a poll marks its calls, waits longer after errors, and stops at a final state', async () => {
  const answers = [
    answer(['a']),
    answer(['a']),
    new TypeError('gone'),
    new TypeError('gone'),
    answer(['a', 'b']),
  ]
  const serve: Answers = () => answers.shift() ?? new Error('One call too many.')
  const { calls, end } = await drawInShell(<Schools every={1000} />, serve)
  await settle()
  expect(calls.map((call) => call.poll)).toEqual([false])
  await settle(1000)
  expect(calls.map((call) => call.poll)).toEqual([false, true])
  await settle(1000)
  expect(calls).toHaveLength(3)
  await settle(1999)
  expect(calls).toHaveLength(3)
  await settle(801)
  expect(calls).toHaveLength(4)
  await settle(5600)
  expect(calls).toHaveLength(5)
  await settle(60_000)
  expect(calls).toHaveLength(5)
  await end()
})

test('a poll stops when the session has ended', async () => {
  const { calls, end } = await drawInShell(<Schools every={1000} />, () => ({
    status: 401,
    body: { message: 'Sign in.' },
  }))
  await settle(10_000)
  expect(calls).toHaveLength(1)
  await end()
})

test('whatever a person can write into the search of a list is searched for', async () => {
  const { calls, end } = await drawInShell(<Schools />, () => answer(['Coura']))
  await settle()
  const longest = 'a'.repeat(search().maxLength)
  await type(search(), longest)
  await settle(400)
  expect(urls(calls)).toEqual(['', `?search=${longest}`])
  await end()
})
