import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { decide, isDecided } from './behaviour.ts'
import { bend, ruleFor, wireFor } from './hostile.ts'
import type { Journal } from './journal.ts'
import type { Entry, Event, Ledger } from './ledger.ts'
import type { Place } from './modes.ts'
import type { Answer } from './reply.ts'
import { Refusal, readInstruction, readKey, readPage } from './requests.ts'

export type Agency = {
  ledger: Ledger
  journal: Journal<Event>
  token: string | undefined
  record: (event: Event) => void
  load: Load
}

/** Number of concurrent orders. `most` is the maximum since the last change of the settings. */
export type Load = { orders: number; most: number }

/** The calls of the account holder: payments, their list, the statement of movements, the balance. */
export const accountPaths = /^\/(payments(\/.*)?|movements|balance)$/

/** Answers a call. A response about money is sent only after its events are on disk. */
export async function answerAccount(
  agency: Agency,
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
): Promise<Answer> {
  const { ledger, token } = agency
  if (ledger.settings.unreachable) return 'cut the line'
  if (token && request.headers.authorization !== `Bearer ${token}`) {
    throw new Refusal(401, 'unauthorized', 'The bearer token is missing or wrong.')
  }
  if (request.method === 'POST' && path === '/payments') {
    agency.load.orders += 1
    agency.load.most = Math.max(agency.load.most, agency.load.orders)
    return pay(agency, request).finally(() => {
      agency.load.orders -= 1
    })
  }
  if (request.method !== 'GET') throw new Refusal(405, 'method_not_allowed', 'Payments know GET and POST.')
  const { half, whole } = due(ledger.settings.latency_ms)
  await waitUntil(half)
  const given = await answerQuestion(agency, path, query)
  await Promise.all([agency.journal.durable(), waitUntil(whole)])
  return given
}

async function answerQuestion({ ledger }: Agency, path: string, query: URLSearchParams): Promise<Answer> {
  const reference = query.get('reference')
  if (path === '/balance') return ok({ balance: ledger.settings.float_amount, currency: 'XOF' })
  if (path === '/movements') return ok(statement(ledger, query))
  if (path !== '/payments') return answerKey(ledger, decodeKey(path.slice('/payments/'.length)))
  return reference === null ? ok(listing(ledger, query)) : answerReference(ledger, reference)
}

async function answerKey(ledger: Ledger, key: string): Promise<Answer> {
  const entry = ledger.entries.get(key)
  if (!entry || !isDecided(entry) || ruleFor(ledger, 'forgets', entry, 'key')) {
    throw new Refusal(404, 'not_found', 'No payment of that key has been accepted.')
  }
  const body = responseOf(ledger, entry, 'key')
  await wait(ruleFor(ledger, 'slow', entry, 'key')?.ms ?? 0)
  return { ...ok(body), wire: wireFor(ledger, entry, 'key') }
}

async function answerReference(ledger: Ledger, reference: string): Promise<Answer> {
  const known = (ledger.byReference.get(reference) ?? []).filter(
    (entry) => !ruleFor(ledger, 'forgets', entry, 'reference'),
  )
  const payments = known.map((entry) => responseOf(ledger, entry, 'reference'))
  const bent = known.find((entry) => wireFor(ledger, entry, 'reference').how !== 'whole')
  await wait(Math.max(0, ...known.map((entry) => ruleFor(ledger, 'slow', entry, 'reference')?.ms ?? 0)))
  return { ...ok({ payments }), ...(bent ? { wire: wireFor(ledger, bent, 'reference') } : {}) }
}

/** A page of received payments, oldest first. `next` is the `after` of the next page. */
function listing(ledger: Ledger, query: URLSearchParams) {
  const { since, after, limit } = readPage(query)
  const rest = Array.from(ledger.entries.values())
    .slice(after)
    .map((entry, index) => ({ n: after + index + 1, entry }))
    .filter(({ entry }) => entry.first_at >= since && !ruleFor(ledger, 'forgets', entry, 'list'))
  const payments = rest.slice(0, limit).map(({ n, entry }) => ({ n, ...responseOf(ledger, entry, 'list') }))
  return { payments, next: rest.length > limit ? (payments.at(-1)?.n ?? null) : null }
}

/** The statement: numbered movements of the account, oldest first. */
function statement(ledger: Ledger, query: URLSearchParams) {
  const { since, after, limit } = readPage(query)
  const rest = ledger.movements
    .slice(after)
    .filter((movement) => movement.at >= since && !ruleFor(ledger, 'forgets', movement, 'list'))
  const movements = rest.slice(0, limit)
  const next = rest.length > limit ? (movements.at(-1)?.n ?? null) : null
  return { movements, next, last: ledger.movements.length, balance: ledger.settings.float_amount }
}

/** Half of the latency passes before the money moves and half after. So a killed caller may leave an order in both states. */
async function pay({ ledger, journal, record }: Agency, request: IncomingMessage): Promise<Answer> {
  const key = readKey(request)
  const instruction = await readInstruction(request)
  const known = ledger.entries.get(key)
  const isOther = known !== undefined && !isSame(known, instruction)
  if (isOther && !ruleFor(ledger, 'accepts_other_body', known, 'send')) {
    throw new Refusal(409, 'key_mismatch', 'That key belongs to a payment with another body.')
  }
  record({ event: 'received', key, at: new Date().toISOString(), ...(known ? {} : instruction) })
  const entry = known ?? (ledger.entries.get(key) as Entry)
  const firstSending = entry.received === 1
  const { half, whole } = due(ledger.settings.latency_ms + (ruleFor(ledger, 'slow', entry, 'send')?.ms ?? 0))
  await waitUntil(half)
  const outcome = decide(ledger, record, entry, firstSending, isOther ? instruction : undefined)
  // The response is made now, because a pending payment may change before it is sent.
  const body =
    outcome.say === 'state'
      ? { ...responseOf(ledger, entry, 'send'), ...(outcome.duplicate ? { duplicate: true } : {}) }
      : undefined
  await Promise.all([journal.durable(), waitUntil(whole)])
  switch (outcome.say) {
    case 'state':
      return { ...ok(body), wire: wireFor(ledger, entry, 'send') }
    case 'lost':
      return 'cut the line'
    case 'insufficient_funds':
      throw new Refusal(402, 'insufficient_funds_payer', 'The paying account does not hold enough.')
    case 'error':
      throw new Refusal(500, 'internal_error', 'The agency failed before it carried out the payment.')
    case 'throttled':
      return { status: 429, body: { code: 'too_many_requests' }, headers: { 'retry-after': '1' } }
  }
}

function responseOf(ledger: Ledger, entry: Entry, place: Place) {
  return bend(ledger, entry, place, state(entry), state)
}

function state(entry: Entry) {
  const { id, key, reference, phone, amount, fee, reason, at } = entry
  const status = isDecided(entry) ? entry.result : 'none'
  return { id, key, reference, phone, status, amount, currency: 'XOF', fee, reason, at }
}

function isSame(
  entry: Entry,
  other: { reference: string; phone: string; amount: number; name: string | null },
): boolean {
  const { reference, phone, amount, name } = entry
  return (
    reference === other.reference && phone === other.phone && amount === other.amount && name === other.name
  )
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Times at which half and all of a latency are over. A late timer in the first half must not extend the whole. */
function due(ms: number): { half: number; whole: number } {
  const now = performance.now()
  return { half: now + ms / 2, whole: now + ms }
}

/** Waits until a time, never shorter. */
const waitUntil = (moment: number) => wait(Math.ceil(moment - performance.now()))

async function wait(ms: number): Promise<void> {
  if (ms > 0) await pause(ms)
}

function ok(body: unknown) {
  return { status: 200, body }
}
