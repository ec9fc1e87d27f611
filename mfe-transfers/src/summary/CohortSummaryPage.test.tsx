import type { Answers } from '@portal/screens/test-host'
import { click, named, type } from '@portal/ui/test-render'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { open, progressOf, sent, summaryOf, until } from './test-summary.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('an approver whose round halts again reads one count of it in banner, progress and figures', async () => {
  const stored = {
    summary: summaryOf('approved', sent(150, { sending: 10 })),
    progress: [progressOf('approved', sent(150, { sending: 10 }))],
  }
  const { asked, text, shows, end } = await open(stored)
  expect(text()).toContain('Disbursing money to beneficiaries')

  // The round halts, and what was on its way settles after the page has been read again.
  stored.summary = summaryOf('error', sent(155))
  stored.progress = [progressOf('error', sent(157))]
  await shows('165 payments were handled before')
  expect(text()).toContain('165 of 293 beneficiaries processed')
  expect(text()).toContain('157 payments')
  expect(text()).not.toContain('Disbursing money to beneficiaries')
  for (const old of ['163', '155 payments']) expect(text(), old).not.toContain(old)

  // Each payment that settles meanwhile reads the rows of the list again as well.
  const before = asked('/summary')
  stored.progress = [progressOf('error', sent(158))]
  await shows('166 payments were handled before')
  await until(() => asked('/summary') > before)
  await end()
})

test('an approver reads that nothing is to check only once the flags of the list have come', async () => {
  const waiting = summaryOf('pending', { success: 0, failed: 0, unknown: 0, sending: 0 })
  let answerFlags: (answer: { status?: number; body: unknown }) => void = () => undefined
  const flags = new Promise<{ status?: number; body: unknown }>((resolve) => {
    answerFlags = resolve
  })
  const { text, shows, end } = await open(
    { summary: { ...waiting, rounds: [] }, progress: [progressOf('pending', sent(0))] },
    { first: 'To check', flags },
  )
  expect(text()).not.toContain('Nothing to check')
  answerFlags({ status: 500, body: { message: 'Boom' } })
  await shows('What is out of the ordinary could not be read')
  expect(text()).not.toContain('Nothing to check')
  await click(named('Try again'))
  await shows('Nothing to check')
  await end()
})

test('an approver who watched a round to its end reads everything of it once more', async () => {
  const stored = { summary: summaryOf('approved', sent(200)), progress: [progressOf('approved', sent(200))] }
  const { asked, text, shows, end } = await open(stored)
  const before = { polls: asked('/progress'), pages: asked('/summary') }
  // The last outcome becomes known between the poll that ends and the reading after it.
  stored.progress = [progressOf('approved', sent(284, { unknown: 1 })), progressOf('approved', sent(285))]
  stored.summary = summaryOf('approved', sent(285))
  await shows('285 of 293 paid.')
  expect(asked('/progress')).toBe(before.polls + 2)
  expect(asked('/summary')).toBeGreaterThan(before.pages)
  expect(text()).toContain('285 payments')
  expect(text()).not.toContain('unknown outcome')
  await end()
})

test('an approver finds the way back to the dashboard of transfers', async () => {
  const stored = { summary: summaryOf('error', sent(1)), progress: [progressOf('error', sent(1))] }
  const { end } = await open(stored)
  expect(named('Reconciliations')?.getAttribute('href')).toBe('/admin/transfers/reconciliations')
  expect(named('Transfers')?.getAttribute('href')).toBe('/admin/transfers')
  await end()
})

test('an approver can resume a stopped cohort whose round has ended, and start a missed round of a cohort that has no other', async () => {
  const counts = sent(285)
  const stored = {
    summary: { ...summaryOf('approved', counts), stopped: true },
    progress: [{ ...progressOf('approved', counts), stopped: true }],
  }
  const stopped = await open(stored, { first: 'Payments are stopped.' })
  await stopped.shows('Resume the payments, or close the cohort for good.')
  expect(named('Resume payments')).toBeDefined()
  expect(named('Stop payments')).toBeUndefined()
  await stopped.end()

  const missed = {
    n: 1,
    due_on: '2026-11-01',
    state: 'missed' as const,
    payroll_group_id: null,
    perhaps_paid: false,
  }
  const { shows, end } = await open(
    {
      summary: { ...summaryOf('approved', sent(0)), rounds: [missed] },
      progress: [{ ...progressOf('approved', sent(0)), round: null }],
    },
    { first: 'Start round 1' },
  )
  await shows('Its day passed and nothing could be sent. Start it by hand.')
  await end()
})

/** The percentage that the card of a round shows, in an element of its own. */
const percent = (card: string) =>
  [...document.querySelectorAll('section, .card')]
    .findLast((each) => each.textContent?.includes(card))
    ?.querySelector('.figure, .row > .strong')
    ?.textContent?.replace(/\s/g, '')

test('an approver who wrote off what was refused reads that the round is done to the last payment', async () => {
  const counts = sent(285)
  const { round, ...progress } = progressOf('approved', counts)
  const ended = { ...progress, round: round && { ...round, failed: 5, written_off: 3 } }
  const { shows, end } = await open(
    { summary: summaryOf('approved', counts), progress: [ended] },
    { first: 'Round 1 has ended' },
  )
  await shows('285 of 293 paid.')
  expect(percent('Round 1 has ended')).toBe('100%')
  await end()
})

test('an approver reads a percentage that does not fall when the last payment of a round was sent', async () => {
  const counts = sent(200, { unknown: 40 })
  const stored = { summary: summaryOf('approved', counts), progress: [progressOf('approved', counts)] }
  const { shows, end } = await open(stored)
  await shows('Processing 248 of 293 beneficiaries')
  // 208 of 293 have an outcome; 40 more are being asked about.
  expect(percent('Disbursing money to beneficiaries')).toBe('71%')
  stored.progress = [progressOf('approved', sent(245, { unknown: 40 }))]
  await shows('Round 1 has been sent')
  expect(percent('Round 1 has been sent')).toBe('86%')
  await end()
})

test('an approver rejects the list that her page shows, by its hash', async () => {
  const pending = summaryOf('pending', { success: 0, failed: 0, unknown: 0, sending: 0 })
  const { calls, end } = await open(
    { summary: { ...pending, rounds: [] }, progress: [progressOf('pending', sent(0))] },
    { first: 'To check' },
  )
  await until(() => named('Reject Transfer List') !== undefined)
  await click(named('Reject Transfer List'))
  await until(() => named('Reject 293 payments') !== undefined)
  await click(named('Reject 293 payments'))
  const sentCall = () => calls.find(({ url }) => url.endsWith('/admin/transfers/cohorts/7/approve'))
  await until(() => sentCall() !== undefined)
  expect(sentCall()?.body).toMatchObject({ action: 'rejected', list_hash: 'a' })
  await end()
})

test('an approver whose search of a list fails keeps the page and its search, and tries again', async () => {
  const stored = { summary: summaryOf('approved', sent(285)), progress: [progressOf('approved', sent(285))] }
  let searched: ReturnType<Answers> = { status: 500, body: { message: 'the disk is full' } }
  const { box, shows, end } = await open(stored, { first: 'Round 1 has ended', searched: () => searched })
  const search = box.querySelector('input[type=search]') as HTMLInputElement
  const list = box.querySelector('table[aria-label="Master list"]') as Element
  await type(search, 'Awa')
  await shows('Server Error: the disk is full')
  expect(search.isConnected).toBe(true)
  expect(box.querySelector('h1')?.textContent).toBe('Kayes, term 1')
  expect(box.querySelectorAll('[role=alert]')).toHaveLength(1)
  searched = { body: { cohort: stored.summary } }
  await click(named('Try again', list))
  await shows('Nothing matches your search')
  // Rows of the search before are dimmed.
  searched = new Promise(() => undefined)
  await type(search, 'Awa D')
  await until(() => list.classList.contains('outdated'))
  await end()
})
