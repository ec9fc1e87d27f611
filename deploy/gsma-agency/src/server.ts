import { createHash } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Account } from './account.ts'
import { type Answer, readOrder, refuse, stateObject, transactionObject } from './objects.ts'
import { decide } from './requests.ts'

/** Who the client is: its API key, its `identifier:secret`, and the account that pays as `type:identifier`. */
export type Client = { apiKey: string; secret: string; account: string }

const base = '/v1.2/mm'
const ok = (body: unknown): Answer => ({ status: 200, body })

/** Serves the client under `/v1.2/mm` and `/oauth/token`, and tests under `/switches` and `/ledger`. */
export function serveAccount(account: Account, client: Client): RequestListener {
  return async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://account')
    const answer = await (pathname.startsWith(`${base}/`)
      ? answerClient(account, client, request, pathname.slice(base.length))
      : pathname === '/oauth/token'
        ? account.tokens.answer(request, await text(request), client.secret, account.switches)
        : answerTest(account, request, pathname))
    if (answer === 'cut') {
      response.destroy()
      return
    }
    response
      .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      .end(JSON.stringify(answer.body))
  }
}

async function answerClient(
  account: Account,
  client: Client,
  request: IncomingMessage,
  path: string,
): Promise<Answer> {
  account.calls += 1
  const body = await text(request)
  const isClient =
    account.switches.signs_in_by === 'token'
      ? account.tokens.admits(request, account.switches)
      : request.headers['x-api-key'] === client.apiKey
  if (!isClient) {
    account.strangers += 1
    return refuse('clientAuthorisationError')
  }
  const hash = createHash('sha256').update(body).digest('hex')
  if (body && request.headers['x-content-hash'] !== hash)
    return refuse('formatError', { header: 'X-Content-Hash' })
  // Half of the latency passes before the money moves, and half after.
  const half = account.switches.latency_ms / 2
  await pause(half)
  const answer =
    request.method === 'POST' ? post(account, client, request, path, body) : get(account, client, path)
  await pause(half)
  return answer
}

function post(
  account: Account,
  client: Client,
  { headers }: IncomingMessage,
  path: string,
  text: string,
): Answer {
  const body = readObject(text)
  const key = headers['x-correlationid']
  if (!body) return refuse('formatError')
  if (typeof key !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key))
    return refuse('formatError', { header: 'X-CorrelationID' })
  if (path === '/transactions/type/disbursement') {
    const callback = headers['x-callback-url']
    const order = readOrder(body, client.account, typeof callback === 'string' ? callback : null)
    return order === 'cut' || 'status' in order ? order : decide(account, client.account, key, order)
  }
  const [, reference] = path.match(/^\/transactions\/([^/]+)\/reversals$/) ?? []
  const paid = [...account.requests.values()].find(({ transaction }) => transaction === reference)
  if (!paid || body.type !== 'reversal') return refuse('identifierError')
  account.reverse(paid)
  return { status: 201, body: { ...transactionObject(paid, client.account), type: 'reversal' } }
}

function get(account: Account, client: Client, path: string): Answer {
  const requests = [...account.requests.values()]
  const [, collection, id] = path.match(/^\/(responses|requeststates|transactions)\/([^/]+)$/) ?? []
  if (collection === 'responses') {
    const found = account.requests.get(String(id))
    if (!found) return refuse('identifierError')
    return ok({
      link:
        found.status === 'pending' || found.error
          ? `/requeststates/${found.state_id}`
          : `/transactions/${found.transaction}`,
    })
  }
  if (collection === 'requeststates') {
    const found = requests.find(({ state_id }) => state_id === id)
    return found ? ok(stateObject(found)) : refuse('identifierError')
  }
  if (collection === 'transactions') {
    const found = requests.find(({ transaction, status }) => transaction === id && status !== 'pending')
    return found ? ok(transactionObject(found, client.account)) : refuse('identifierError')
  }
  if (path === '/heartbeat') return ok({ serviceStatus: 'available', delay: 0 })
  return getAccount(account, client, path)
}

/** A number ending in 02 has no account, one in 03 a closed one, one in 13 belongs to somebody else, one in 14 hides its name. */
function getAccount(account: Account, client: Client, path: string): Answer {
  const [, type, id, what] = path.match(/^\/accounts\/([^/]+)\/([^/]+)\/(balance|accountname|status)$/) ?? []
  const identifier = decodeURIComponent(id ?? '')
  if (what === 'balance' && `${type}:${identifier}` === client.account) {
    const amount = `${account.switches.balance ?? 10_000_000}.00`
    return ok({
      accountStatus: 'available',
      currentBalance: amount,
      availableBalance: amount,
      currency: 'XOF',
    })
  }
  if (!what || what === 'balance' || type !== 'msisdn' || identifier.endsWith('02'))
    return refuse('identifierError')
  if (what === 'status') return ok({ status: identifier.endsWith('03') ? 'unavailable' : 'available' })
  const fullName = identifier.endsWith('13') ? 'Moussa Traoré' : 'Diarra AWA'
  return ok({ name: identifier.endsWith('14') ? {} : { fullName } })
}

async function answerTest(account: Account, request: IncomingMessage, path: string): Promise<Answer> {
  if (path === '/ledger') {
    const disbursements = [...account.requests.values()]
    const moved = disbursements.reduce((sum, each) => sum + each.moved * each.amount, 0)
    const { calls, strangers, tokens } = account
    return ok({
      disbursements,
      moved,
      calls,
      strangers,
      tokens: { asked: tokens.asked, given: tokens.given },
    })
  }
  if (path !== '/switches') return refuse('identifierError')
  if (request.method === 'PUT') Object.assign(account.switches, readObject(await text(request)))
  return ok(account.switches)
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
