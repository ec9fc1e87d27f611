import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { decide, isDecided, settlePending } from './behaviour.ts'
import type { Journal } from './journal.ts'
import type { Entry, Event, Ledger } from './ledger.ts'
import { Refusal, readHistory, readInstruction, readKey, readSettings } from './requests.ts'

type Options = { ledger: Ledger; journal: Journal<Event>; token: string | undefined; seeding: boolean }
type Answer = { status: number; body: unknown; headers?: { [name: string]: string } } | 'cut the line'

/** The agency's HTTP face. Every answer that tells of money waits until what it tells is on disk. */
export function serveAgency(options: Options): RequestListener {
  const { ledger, journal } = options
  const record = (event: Event) => {
    ledger.apply(event)
    journal.append(event)
  }
  settlePending(ledger, record)

  return (request, response) => {
    void answer(options, record, request)
      .catch(refuse)
      .then((given) => send(response, given))
  }
}

async function answer(
  options: Options,
  record: (event: Event) => void,
  request: IncomingMessage,
): Promise<Answer> {
  const { ledger, journal } = options
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
  if (path === '/payments' || path.startsWith('/payments/')) {
    return answerPayment(options, record, request, path, query)
  }
  switch (`${request.method} ${path}`) {
    case 'GET /health':
      return ok({ status: 'ok', service: 'sandbox-agency', pid: process.pid })
    case 'GET /settings':
      return ok(ledger.settings)
    case 'PUT /settings':
      record({ event: 'settings', settings: await readSettings(request), at: new Date().toISOString() })
      await journal.durable()
      return ok(ledger.settings)
    case 'GET /ledger': {
      await journal.durable()
      return ok({ entries: Array.from(ledger.entries.values(), ledgerLine) })
    }
    case 'GET /ledger/summary':
      await journal.durable()
      return ok(ledger.summary)
    case 'POST /ledger/import': {
      if (!options.seeding) throw new Refusal(403, 'seeding_off', 'Only with SANDBOX_AGENCY_SEED=yes.')
      const history = await readHistory(request)
      const before = ledger.entries.size
      for (const entry of history) if (!ledger.entries.has(entry.key)) record({ event: 'imported', ...entry })
      await journal.durable()
      return ok({ imported: ledger.entries.size - before })
    }
    default:
      throw new Refusal(404, 'not_found', 'There is no such address.')
  }
}

async function answerPayment(
  { ledger, journal, token }: Options,
  record: (event: Event) => void,
  request: IncomingMessage,
  path: string,
  query: string,
): Promise<Answer> {
  if (ledger.settings.unreachable) return 'cut the line'
  if (token && request.headers.authorization !== `Bearer ${token}`) {
    throw new Refusal(401, 'unauthorized', 'The bearer token is missing or wrong.')
  }
  if (request.method === 'POST' && path === '/payments') return pay(ledger, journal, record, request)
  if (request.method !== 'GET') throw new Refusal(405, 'method_not_allowed', 'Payments know GET and POST.')

  const halfway = ledger.settings.latency_ms / 2
  await wait(halfway)
  const reference = path === '/payments' ? new URLSearchParams(query).get('reference') : null
  if (path === '/payments' && reference === null)
    throw new Refusal(400, 'invalid_request', 'Say which reference.')
  const found: Entry | undefined = ledger.entries.get(decodeKey(path.slice('/payments/'.length)))
  const body =
    reference === null
      ? found && isDecided(found) && state(found)
      : { payments: (ledger.byReference.get(reference) ?? []).map((entry) => state(entry)) }
  await Promise.all([journal.durable(), wait(halfway)])
  if (!body) throw new Refusal(404, 'not_found', 'No payment of that key has been accepted.')
  return ok(body)
}

/** Half of the latency passes before the money moves and half after: a caller that dies meanwhile leaves both kinds. */
async function pay(
  ledger: Ledger,
  journal: Journal<Event>,
  record: (event: Event) => void,
  request: IncomingMessage,
): Promise<Answer> {
  const key = readKey(request)
  const instruction = await readInstruction(request)
  const known = ledger.entries.get(key)
  if (known && !isSame(known, instruction)) {
    throw new Refusal(409, 'key_mismatch', 'That key belongs to a payment with another body.')
  }
  record({ event: 'received', key, at: new Date().toISOString(), ...(known ? {} : instruction) })
  const entry = known ?? (ledger.entries.get(key) as Entry)
  const firstSending = entry.received === 1
  const halfway = ledger.settings.latency_ms / 2
  await wait(halfway)
  const outcome = decide(ledger, record, entry, firstSending)
  // Taken now: a pending payment may have moved on by the time the answer leaves.
  const body = outcome.say === 'state' ? state(entry, outcome.duplicate) : undefined
  await Promise.all([journal.durable(), wait(halfway)])
  switch (outcome.say) {
    case 'state':
      return ok(body)
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

function state(entry: Entry, duplicate = false) {
  const { id, key, reference, amount, fee, reason, at } = entry
  const status = isDecided(entry) ? entry.result : 'none'
  return { id, key, reference, status, amount, fee, reason, at, ...(duplicate ? { duplicate } : {}) }
}

function ledgerLine({ key, reference, phone, amount, received, executed, result, at }: Entry) {
  return { key, reference, phone, amount, received, executed, result, at }
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

async function wait(ms: number): Promise<void> {
  if (ms > 0) await pause(ms)
}

function ok(body: unknown): Answer {
  return { status: 200, body }
}

function refuse(error: unknown): Answer {
  if (error instanceof Refusal)
    return { status: error.status, body: { code: error.code, message: error.message } }
  // A caller that hangs up while it is still sending has asked for nothing.
  if ((error as { code?: string }).code === 'ECONNRESET') return 'cut the line'
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  return { status: 500, body: { code: 'internal_error', message: 'The agency failed.' } }
}

function send(response: ServerResponse, given: Answer): void {
  if (given === 'cut the line') {
    response.destroy()
    return
  }
  const text = JSON.stringify(given.body)
  response.writeHead(given.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...given.headers,
  })
  response.end(text)
}
