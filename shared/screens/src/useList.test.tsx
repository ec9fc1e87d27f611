import { partners } from '@portal/contracts/registers-partners'
import { click, eventually, named } from '@portal/ui/test-render'
import { act } from 'react'
import { Link } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { drawInShell } from './test-host.tsx'
import { useList } from './useList.tsx'

const empty = { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 }
const answer = () => ({ body: { partners: empty } })

afterEach(() => void vi.useRealTimers())

function Names() {
  const list = useList(partners.list, 'partners')
  return <output>{list.problem ? list.problem.message : list.page?.total}</output>
}

test('a list that could not be read because the database was away comes back by itself', async () => {
  vi.useFakeTimers()
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  let away = true
  const { box, calls, end } = await drawInShell(<Names />, () =>
    away ? { status: 503, body: { message: 'The database is away.' } } : answer(),
  )
  await wait(3000)
  expect(box.textContent).toBe('The database is away.')
  away = false
  await wait(8000)
  expect(box.textContent).toBe('0')
  const read = calls.length
  await wait(60_000)
  expect(calls.length).toBe(read)
  await end()
})

test('whoever waits for a list that cannot be read keeps reading why, at each try', async () => {
  vi.useFakeTimers()
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  let tries = 0
  let answering: (answer: { status: number; body: unknown }) => void = () => undefined
  const { box, end } = await drawInShell(<Names />, () => {
    tries += 1
    if (tries === 1) return { status: 503, body: { message: 'The database is away.' } }
    return new Promise((resolve) => (answering = resolve))
  })
  await wait(8000)
  expect(tries).toBe(2)
  expect(box.textContent).toBe('The database is away.')
  answering({ status: 403, body: { message: 'Not yours.' } })
  await wait(0)
  answering({ status: 403, body: { message: 'Not yours.' } })
  await wait(0)
  expect(box.textContent).toBe('Not yours.')
  await wait(60_000)
  expect(tries).toBe(3)
  await end()
})

test('a list that is left before the server is back is not read any more', async () => {
  vi.useFakeTimers()
  const { calls, end } = await drawInShell(<Names />, () => ({ status: 503, body: {} }))
  await act(() => vi.advanceTimersByTimeAsync(8000))
  const read = calls.length
  expect(read).toBeGreaterThan(1)
  await end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls.length).toBe(read)
})

test('a list that was refused is not read again by itself', async () => {
  vi.useFakeTimers()
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const { calls, end } = await drawInShell(<Names />, () => ({ status: 403, body: { message: 'No.' } }))
  await wait(60_000)
  expect(calls.length).toBe(1)
  await end()
})

function Screen() {
  const list = useList(partners.list, 'partners')
  return (
    <>
      <button type="button" onClick={() => list.show({ search: 'Plan' })}>
        Search
      </button>
      <button type="button" onClick={() => list.show({ sort: '-name' })}>
        Sort
      </button>
      <Link to="?search=Care">Care</Link>
    </>
  )
}

test('two changes of a list within one moment are both in its address', async () => {
  const { box, place, end } = await drawInShell(<Screen />, answer)
  await act(async () => {
    for (const name of ['Search', 'Sort'])
      named(name, box)?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  })
  expect(place.current).toBe('/list?search=Plan&sort=-name')
  await end()
})

test('a change that follows a link builds on the address of the link', async () => {
  const { box, place, end } = await drawInShell(<Screen />, answer)
  await click(named('Search', box))
  await click(named('Care', box))
  await click(named('Sort', box))
  expect(place.current).toBe('/list?search=Care&sort=-name')
  await end()
})

function Beside() {
  const list = useList(partners.list, 'partners')
  return (
    <>
      <button type="button" onClick={() => list.show({ search: 'Plan' })}>
        Search
      </button>
      <output>{[list.answer?.partners.total, list.page?.total, list.problem?.message].join(' ')}</output>
    </>
  )
}

test('whoever searches for what could not be read keeps what stands beside the list, and reads why', async () => {
  const { box, end } = await drawInShell(<Beside />, ({ url }) =>
    url.includes('search') ? { status: 500, body: { message: 'The disk is full.' } } : answer(),
  )
  await eventually(() => expect(box.querySelector('output')?.textContent).toBe('0 0 '))
  await click(named('Search', box))
  await eventually(() => expect(box.querySelector('output')?.textContent).toBe('0  The disk is full.'))
  await end()
})
