import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BuildRef } from './builds.ts'
import { type Happened, sendFrom } from './send-reports.ts'

const ref = { name: 'mfe-visits', version: '1.0.0', build: '0123456789ab', base: '/modules/' } as BuildRef
/** An error with a stack of nearly two thousand characters that each take more than a byte. */
const error = (n: number): Happened => ({
  ...{ kind: 'error', ref, reason: 'crash', path: '/admin/visits' },
  reference: `R-${n}`,
  message: 'é'.repeat(300),
  stack: `${'é'.repeat(90)}:1:1\n`.repeat(20),
})

/** What a browser answers: bodies of requests that outlive the page are at most 64 KiB together. */
let underWay = 0
const arrived: string[] = []
const answers: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    const size = new TextEncoder().encode(body).length
    if (underWay + size > 65_536) return Promise.reject(new TypeError('Failed to fetch'))
    underWay += size
    for (const { reference } of JSON.parse(body).reports) arrived.push(reference)
    return new Promise((resolve) =>
      answers.push(() => {
        underWay -= size
        resolve(new Response('{}'))
      }),
    )
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an administrator gets every report of a module that breaks often, though a browser sends at most 64 KiB at once', async () => {
  const waiting = Array.from({ length: 50 }, (_, n) => error(n))
  sendFrom(waiting)
  for (let turn = 0; turn < 10; turn += 1) {
    for (const answer of answers.splice(0)) answer()
    await vi.advanceTimersByTimeAsync(0)
  }
  expect(arrived).toEqual(Array.from({ length: 50 }, (_, n) => `R-${n}`))
  // What happens while a part is under way waits for it, also when the page is left.
  waiting.push(...Array.from({ length: 20 }, (_, n) => error(50 + n)))
  window.dispatchEvent(new Event('pagehide'))
  waiting.push(error(70))
  window.dispatchEvent(new Event('pagehide'))
  for (let turn = 0; turn < 10; turn += 1) {
    for (const answer of answers.splice(0)) answer()
    await vi.advanceTimersByTimeAsync(4000)
  }
  expect(arrived).toHaveLength(71)
})
