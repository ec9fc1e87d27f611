import { endpoint } from '@portal/contracts/endpoint'
import { act } from 'react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Answers, drawInShell } from './test-host.tsx'
import { usePoll } from './usePoll.tsx'

const news = endpoint({
  method: 'GET',
  path: '/news',
  access: 'session',
  answer: v.object({ unread: v.number() }),
})

function News() {
  const { data } = usePoll(news, { every: 5000 })
  return <output>{data?.unread}</output>
}

const settle = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms))
const good: Answers = () => ({ body: { unread: 1 } })

/** As the browser does when another tab is looked at, and back. */
const look = (away: boolean) => {
  Object.defineProperty(document, 'visibilityState', {
    value: away ? 'hidden' : 'visible',
    configurable: true,
  })
  return act(async () => void window.dispatchEvent(new Event('visibilitychange')))
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  Reflect.deleteProperty(document, 'visibilityState')
  vi.useRealTimers()
})

test('a poll comes back by itself, and never waits longer than a minute for it', async () => {
  let broken = false
  const { calls, end } = await drawInShell(<News />, () =>
    broken ? new TypeError('gone') : { body: { unread: 1 } },
  )
  await settle()
  broken = true
  await settle(5000)
  const waits: number[] = []
  for (let at = 0; at < 8; at += 1) {
    const before = calls.length
    let waited = 0
    while (calls.length === before && waited < 90_000) {
      await settle(500)
      waited += 500
    }
    waits.push(waited)
  }
  expect(waits[0]).toBeGreaterThanOrEqual(10_000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(60_500)
  expect(waits.at(-1)).toBeGreaterThanOrEqual(60_000)
  broken = false
  await settle(60_000)
  const back = calls.length
  await settle(5000)
  expect(calls).toHaveLength(back + 1)
  await end()
})

test('a tab nobody looks at asks nothing', async () => {
  const { calls, end } = await drawInShell(<News />, good)
  await settle()
  await look(true)
  await settle(60_000)
  expect(calls).toHaveLength(1)
  await look(false)
  await settle(5000)
  expect(calls.length).toBeGreaterThan(1)
  await end()
})

test('a page that is left asks nothing any more', async () => {
  const { calls, end } = await drawInShell(<News />, good)
  await settle(5000)
  expect(calls).toHaveLength(2)
  await end()
  await settle(60_000)
  expect(calls).toHaveLength(2)
})

test('once the line is back, what is on screen is read again', async () => {
  const { calls, end } = await drawInShell(<News />, good)
  await settle()
  await act(async () => void window.dispatchEvent(new Event('offline')))
  await act(async () => void window.dispatchEvent(new Event('online')))
  await settle()
  expect(calls).toHaveLength(2)
  await end()
})
