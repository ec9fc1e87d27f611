import { createHmac, timingSafeEqual } from 'node:crypto'
import type {
  AgencyAccess,
  AgencyPayment,
  Connector,
  FailureClass,
  NameAnswer,
  Outcome,
} from './connector.ts'
import { type AgencyHttp, always, isOutcome, type Post, type Reply } from './http.ts'

const failures: Record<string, FailureClass> = {
  'recipient-minor': 'recipient',
  'recipient-account-blocked': 'recipient',
  'recipient-account-inactive': 'recipient',
  'recipient-limit-exceeded': 'limit',
  'insufficient-funds': 'funds',
  'country-mismatch': 'configuration',
  'currency-mismatch': 'configuration',
  'aggregated-merchant-required': 'configuration',
  'request-not-json': 'configuration',
  'request-parsing-error': 'configuration',
  'request-validation-error': 'configuration',
  'idempotency-mismatch': 'duplicate',
  'too-many-requests': 'transient',
}

/**
 * The connector of Wave's payout API. An API key is bound to one wallet, so an agency is one wallet of one country. Wave
 * does not repeat idempotency keys, so orders are queried by `client_reference`.
 */
export function waveConnector(http: AgencyHttp): Connector {
  const call = (agency: AgencyAccess, path: string, post?: Post) =>
    http.call(`${agency.endpoint.replace(/\/+$/, '')}${path}`, {
      ...(post
        ? { method: 'POST', body: JSON.stringify(post.body), mayLeave: post.mayLeave }
        : { method: 'GET' }),
      headers: {
        authorization: `Bearer ${String(agency.details.api_key)}`,
        ...(post && { 'content-type': 'application/json' }),
        ...post?.headers,
      },
    })

  return {
    protocol: 'wave',
    version: 1,
    // Wave publishes no life of keys. This is half of the day that is usual elsewhere.
    keyLifeHours: 12,
    notFound: 'repeat',
    // Wave publishes no rate either, and answers 429 where it is exceeded.
    calls: { concurrency: 10, rate: 20 },
    // Wave blocks a number for an hour after 30 checks in five minutes. A few are left for people in Wave's own application.
    names: { freshDays: 30, rate: 10, perNumber: 25 },
    failures,
    account: (details) => (typeof details.wallet === 'string' ? details.wallet : ''),
    async send(agency, { key, reference, phone, name, amount, mayLeave }) {
      const body = {
        currency: 'XOF',
        receive_amount: String(amount),
        mobile: phone,
        name: name.slice(0, 255),
        client_reference: reference,
      }
      const reply = await call(agency, '/v1/payout', { body, mayLeave, headers: { 'idempotency-key': key } })
      if (isOutcome(reply)) return reply
      return reply.status === 200 && reply.body ? readPayout(reply.body) : readError(reply)
    },
    async askReference(agency, reference) {
      const query = new URLSearchParams({ client_reference: reference })
      const reply = await call(agency, `/v1/payouts/search?${query}`)
      if (isOutcome(reply)) return reply
      if (reply.status !== 200) return readError(reply)
      const found = Array.isArray(reply.body?.result) ? reply.body.result.map(readListed) : [null]
      return found.every((payment) => payment !== null) ? found : unreadable
    },
    async balance(agency) {
      const reply = await call(agency, '/v1/balance')
      if (isOutcome(reply)) return reply
      if (reply.status !== 200) return readError(reply)
      return readFrancs(reply.body?.amount) ?? unreadable
    },
    async verifyName(agency, { phone, name, amount }) {
      const wanted = { mobile: phone, amount: String(amount), currency: 'XOF', name: name.slice(0, 255) }
      const reply = await call(agency, '/v1/verify_recipient/', { body: wanted, mayLeave: always })
      if (isOutcome(reply)) return reply
      return (reply.status === 200 && reply.body && readNameAnswer(reply.body)) || readError(reply)
    },
    async reverse(agency, externalTrxId) {
      const path = `/v1/payout/${encodeURIComponent(externalTrxId)}/reverse`
      const reply = await call(agency, path, { body: {}, mayLeave: always })
      if (isOutcome(reply)) return reply
      return reply.status === 200 ? true : readError(reply)
    },
    readReport({ callback_secret: secret }, { headers, text, now }) {
      const signature = headers['wave-signature']
      if (typeof secret !== 'string' || typeof signature !== 'string') return null
      if (!isSigned(secret, signature, text, now)) return null
      const { data } = JSON.parse(text) as { data?: { client_reference?: unknown } | null }
      const reference = textOf(data?.client_reference)
      return reference === null ? [] : [reference]
    },
  }
}

/** Reports that are older than this are refused, so that nobody can repeat one for ever. */
const reportLifeMs = 5 * 60_000

/** `t=<seconds>,v1=<hex>[,v1=…]`: HMAC-SHA256 over the seconds and the body. While a secret is renewed there are two. */
function isSigned(secret: string, header: string, text: string, now: number): boolean {
  const parts = header.split(',').map((part) => part.trim())
  const seconds = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2)
  if (!seconds || Math.abs(now - Number(seconds) * 1000) > reportLifeMs) return false
  const due = createHmac('sha256', secret)
    .update(seconds + text)
    .digest()
  return parts.some(
    (part) => /^v1=[0-9a-f]{64}$/.test(part) && timingSafeEqual(Buffer.from(part.slice(3), 'hex'), due),
  )
}

const unreadable: Outcome = { kind: 'unknown', reason: 'answer_unreadable' }

/** What a refused call means for its order. Only codes that Wave documents count as a refusal. */
function readError({ status, body, retry_after_ms }: Reply): Outcome {
  const code = textOf(body?.code) ?? ''
  const kind = Object.hasOwn(failures, code) ? failures[code] : undefined
  if (status === 429)
    return { kind: 'not_sent', reason: 'too_many_requests', wait_ms: retry_after_ms ?? 1_000 }
  // The key is wrong, revoked, or its wallet is disabled.
  if (status === 401 || status === 403) return { kind: 'unusable', reason: 'credentials' }
  if (status !== 400 && status !== 422)
    // Another order has this key (409), or Wave failed: the order is queried.
    return { kind: 'unknown', reason: kind === 'duplicate' ? code : `http_${status}` }
  if (kind === 'funds') return { kind: 'unusable', reason: 'funds' }
  if (kind === 'recipient' || kind === 'limit' || kind === 'configuration')
    return { kind: 'failed', reason: code, external_trx_id: null, echo: {} }
  return { kind: 'unknown', reason: `http_${status}` }
}

function readPayout(body: Record<string, unknown>): Outcome {
  const id = textOf(body.id)
  if (id === null) return unreadable
  const echo = {
    reference: textOf(body.client_reference),
    amount: readFrancs(body.receive_amount),
    currency: textOf(body.currency),
    recipient: textOf(body.mobile),
  }
  switch (body.status) {
    case 'succeeded': {
      const stated = body.fee ?? null
      const fee = readFrancs(stated)
      if (fee === null && stated !== null) return { kind: 'unknown', reason: 'fee_unreadable' }
      return { kind: 'success', external_trx_id: id, agency_fees: fee, echo }
    }
    case 'processing':
      return { kind: 'processing', wait_ms: 2_000, echo }
    case 'failed':
      return { kind: 'failed', reason: errorOf(body.payout_error), external_trx_id: id, echo }
    case 'reversed':
      return { kind: 'failed', reason: 'reversed', external_trx_id: id, echo }
    default:
      return unreadable
  }
}

function errorOf(error: unknown): string {
  const code =
    typeof error === 'object' && error !== null ? (error as { error_code?: unknown }).error_code : null
  return textOf(code) || 'refused'
}

/** The id stands for the key, which Wave does not repeat. */
function readListed(value: unknown): AgencyPayment | null {
  if (typeof value !== 'object' || value === null) return null
  const body = value as Record<string, unknown>
  const id = textOf(body.id)
  const state = textOf(body.status)
  if (id === null || state === null) return null
  return {
    key: id,
    reference: textOf(body.client_reference),
    external_trx_id: id,
    phone: textOf(body.mobile),
    amount: readFrancs(body.receive_amount),
    state,
    at: textOf(body.timestamp),
    outcome: readPayout(body),
  }
}

function readNameAnswer({ name_match, within_limits }: Record<string, unknown>): NameAnswer | null {
  const names = new Map<unknown, NameAnswer['name']>([
    ['MATCH', 'match'],
    ['NO_MATCH', 'different'],
    ['NAME_NOT_KNOWN', 'not_told'],
  ])
  const name = names.get(name_match)
  return name && typeof within_limits === 'boolean'
    ? { name, holder: null, within_limits, active: null }
    : null
}

/** Wave writes amounts as text without decimals. */
const readFrancs = (value: unknown) =>
  typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : null
const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
