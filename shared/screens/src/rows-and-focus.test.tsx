import { click, named } from '@portal/ui/test-render'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DataTable } from './DataTable.tsx'
import { type Answers, drawInShell } from './test-host.tsx'
import { answer, Schools, schools, settle } from './test-schools.tsx'
import { useList } from './useList.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A list of which rows can be chosen for an act. */
function Choosable() {
  const list = useList(schools, 'schools')
  return (
    <DataTable
      label="Schools"
      list={list}
      columns={[{ key: 'name', header: 'School name' }]}
      empty="No data available"
      filters={[{ name: 'status', label: 'Status', options: [{ value: 'active', label: 'Active' }] }]}
      rowName={({ name }) => name}
      chosenActs={[
        {
          key: 'close',
          permission: 'schools.update',
          draw: (rows) => <output>{rows.map(({ name }) => name).join()}</output>,
        },
      ]}
    />
  )
}

test('a row that a person chooses while another filter is read is not chosen once its rows are there', async () => {
  const filtered = Promise.withResolvers<void>()
  const { box, end } = await drawInShell(<Choosable />, async ({ url }) => {
    if (!url.includes('status=active')) return answer(['Coura'])
    await filtered.promise
    return answer(['Kayes'])
  })
  await settle()
  await click(named('Active'))
  await settle()
  expect(box.querySelector('table')?.getAttribute('aria-busy')).toBe('true')
  await click(box.querySelector('input[aria-label="Select Coura"]'))
  expect(box.querySelector('output')?.textContent).toBe('Coura')
  filtered.resolve()
  await settle()
  expect(box.querySelector('table')?.getAttribute('aria-busy')).toBeNull()
  expect(box.textContent).toContain('Kayes')
  expect(box.querySelector('output')?.textContent ?? '').toBe('')
  await end()
})

test('rows that a person chose are chosen no more under a filter whose rows could not be read', async () => {
  let filtered: ReturnType<Answers> = { status: 500, body: {} }
  const { promise: later, resolve } = Promise.withResolvers<ReturnType<typeof answer>>()
  const { box, end } = await drawInShell(<Choosable />, ({ url }) =>
    url.includes('status=active') ? filtered : answer(['Coura']),
  )
  await settle()
  await click(box.querySelector('input[aria-label="Select Coura"]'))
  expect(box.querySelector('output')?.textContent).toBe('Coura')
  await click(named('Active'))
  await settle()
  expect(box.querySelector('output')?.textContent ?? '').toBe('')
  // The rows of before are shown again while another try is made.
  filtered = later
  await click(named('Try again'))
  await settle()
  await click(box.querySelector('input[aria-label="Select Coura"]'))
  resolve(answer(['Kayes']))
  await settle()
  expect(box.textContent).toContain('Kayes')
  expect(box.querySelector('output')?.textContent ?? '').toBe('')
  await end()
})

test('the rows of the page and of the order before are dimmed until those that a person asked for have come', async () => {
  const { promise: later, resolve } = Promise.withResolvers<void>()
  const { box, end } = await drawInShell(<Schools />, async ({ url }) => {
    if (url.endsWith('page=3')) return later.then(() => answer(['Ségou'], 3, 31))
    return url.includes('sort') ? new Promise(() => undefined) : answer(['Coura'], 1, 31)
  })
  await settle()
  const isDimmed = () => box.querySelector('table')?.classList.contains('outdated')
  expect(isDimmed()).toBe(false)
  await click(named('3'))
  await settle()
  expect(isDimmed()).toBe(true)
  resolve()
  await settle()
  expect(isDimmed()).toBe(false)
  await click(box.querySelector('th button'))
  await settle()
  expect(isDimmed()).toBe(true)
  await end()
})

test('a person who works by keys stays in the list when a button that she presses disappears', async () => {
  let broken = true
  const { box, end } = await drawInShell(
    <Choosable />,
    ({ url }) => (broken ? { status: 500, body: {} } : answer(url.includes('status=') ? [] : ['Coura'])),
    '/list?status=active',
  )
  await settle()
  const pressed = async (words: string) => {
    const button = named(words) as HTMLButtonElement
    button.focus()
    await click(button)
    await settle()
    expect(button.isConnected, words).toBe(false)
    expect(document.activeElement, words).toBe(box.querySelector('.card'))
  }
  broken = false
  await pressed('Try again')
  await pressed('Clear all')
  await click(box.querySelector('input[aria-label="Select Coura"]'))
  await pressed('Clear the selection')
  await end()
})

test('a person with a filter set clears it by keys and stays in the list', async () => {
  const { box, end } = await drawInShell(<Schools />, () => answer(['Coura']), '/list?search=Cou')
  await settle()
  const button = named('Clear all') as HTMLButtonElement
  button.focus()
  await click(button)
  await settle()
  expect(button.isConnected).toBe(false)
  expect(document.activeElement).toBe(box.querySelector('.card'))
  await end()
})

test('a person whose list could not be read again tries again by keys and stays in the list', async () => {
  let broken = false
  const { box, end } = await drawInShell(<Schools every={1000} />, () =>
    broken ? { status: 500, body: {} } : answer(['Coura']),
  )
  await settle()
  broken = true
  await settle(1000)
  await settle(100)
  expect(box.textContent).toContain('Coura')
  const button = named('Try again') as HTMLButtonElement
  broken = false
  button.focus()
  await click(button)
  await settle()
  expect(button.isConnected).toBe(false)
  expect(document.activeElement).toBe(box.querySelector('.card'))
  await end()
})
