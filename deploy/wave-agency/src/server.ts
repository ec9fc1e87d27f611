import type { IncomingMessage, RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, decide, ok, readOrder, refuse, shown } from './orders.ts'
import type { Wallet } from './wallet.ts'

/** Serves the account holder under `/v1`, and tests under `/switches` and `/ledger`. */
export function serveWallet(wallet: Wallet, apiKey: string): RequestListener {
  return async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://wallet')
    const answer = await (url.pathname.startsWith('/v1/')
      ? answerHolder(wallet, apiKey, request, url)
      : answerTest(wallet, request, url))
    if (answer === 'cut') {
      response.destroy()
      return
    }
    response
      .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      .end(JSON.stringify(answer.body))
  }
}

async function answerHolder(
  wallet: Wallet,
  apiKey: string,
  request: IncomingMessage,
  url: URL,
): Promise<Answer> {
  wallet.calls += 1
  const { authorization } = request.headers
  if (!authorization) return refuse(401, 'missing-auth-header')
  if (authorization !== `Bearer ${apiKey}`) return refuse(401, 'no-matching-api-key')
  // Half of the latency passes before the money moves, and half after.
  const half = wallet.switches.latency_ms / 2
  const body = request.method === 'POST' ? await readBody(request) : {}
  await pause(half)
  const answer = route(wallet, request, url, body)
  await pause(half)
  return answer
}

function route(
  wallet: Wallet,
  request: IncomingMessage,
  { pathname, searchParams }: URL,
  body: Record<string, unknown> | null,
): Answer {
  if (!body) return refuse(400, 'request-not-json')
  const call = `${request.method} ${pathname}`
  if (call === 'POST /v1/payout') return payOut(wallet, request.headers['idempotency-key'], body)
  if (call === 'GET /v1/balance')
    return ok({ amount: String(wallet.switches.balance ?? 10_000_000), currency: 'XOF' })
  if (call === 'POST /v1/verify_recipient/') return verify(body)
  if (call === 'GET /v1/payouts/search') {
    const wanted = searchParams.get('client_reference')
    return ok({
      result: [...wallet.payouts.values()].filter((each) => each.client_reference === wanted).map(shown),
    })
  }
  const [, id, act] = pathname.match(/^\/v1\/payout\/([^/]+)(\/reverse)?$/) ?? []
  const payout = [...wallet.payouts.values()].find((each) => each.id === id)
  if (!payout) return refuse(404, 'not-found')
  if (act && request.method === 'POST') {
    wallet.reverse(payout)
    return ok({})
  }
  return request.method === 'GET' && !act ? ok(shown(payout)) : refuse(404, 'not-found')
}

function payOut(wallet: Wallet, key: unknown, body: Record<string, unknown>): Answer {
  const order = readOrder(body)
  if (typeof key !== 'string' || !key || !order) return refuse(422, 'request-validation-error')
  return decide(wallet, key, order)
}

/** A number ending in 13 belongs to somebody else; of one ending in 14 no name is known. */
function verify({ mobile, name }: Record<string, unknown>): Answer {
  if (typeof mobile !== 'string') return refuse(422, 'request-validation-error')
  const match = mobile.endsWith('13')
    ? 'NO_MATCH'
    : mobile.endsWith('14') || !name
      ? 'NAME_NOT_KNOWN'
      : 'MATCH'
  return ok({ within_limits: !mobile.endsWith('04'), name_match: match, national_id_match: null })
}

async function answerTest(wallet: Wallet, request: IncomingMessage, { pathname }: URL): Promise<Answer> {
  if (pathname === '/ledger') {
    const payouts = [...wallet.payouts.values()]
    const moved = payouts.reduce((sum, each) => sum + each.moved * each.amount, 0)
    return ok({ payouts, moved, calls: wallet.calls })
  }
  if (pathname !== '/switches') return refuse(404, 'not-found')
  if (request.method === 'PUT') Object.assign(wallet.switches, await readBody(request))
  return ok(wallet.switches)
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  try {
    const value: unknown = await json(request)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
