import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { AgencyAccess, Connector, Outcome } from './connector.ts'
import {
  gsmaFailures,
  isNotFound,
  readBalance,
  readError,
  readHolder,
  readState,
  readTransaction,
  textOf,
} from './gsma-answers.ts'
import { compareNames } from './holder-names.ts'
import { type AgencyHttp, always, isOutcome, type Post, type Reply } from './http.ts'
import { signedCalls } from './oauth.ts'

const unreadable: Outcome = { kind: 'unknown', reason: 'answer_unreadable' }

/**
 * The connector of the GSMA Mobile Money API 1.2, which several operators speak. Its address ends before `/transactions`,
 * for example `https://api.operator.example/v1.2/mm`. Orders are accepted first and carried out later. They are queried
 * by their correlation id: its response leads to the state of the request, and that to the transaction. The portal signs
 * in with an API key, with a token (OAuth 2), or with both, as the operator asks.
 */
export function gsmaConnector(http: AgencyHttp): Connector {
  const signed = signedCalls(http)
  const call = (agency: AgencyAccess, path: string, post?: Post) => {
    const { endpoint, details } = agency
    const text = JSON.stringify(post?.body ?? {})
    return signed(agency, `${endpoint.replace(/\/+$/, '')}${path}`, {
      ...(post ? { method: 'POST', body: text, mayLeave: post.mayLeave } : { method: 'GET' }),
      headers: {
        'x-date': new Date().toISOString(),
        ...(typeof details.api_key === 'string' && { 'x-api-key': details.api_key }),
        ...(typeof details.client_id === 'string' && { 'x-client-id': details.client_id }),
        ...(post && { 'content-type': 'application/json', 'x-content-hash': sha256(text) }),
        ...post?.headers,
      },
    })
  }
  const get = (agency: AgencyAccess, kind: 'responses' | 'requeststates' | 'transactions', id: string) =>
    call(agency, `/${kind}/${encodeURIComponent(id)}`)

  /** What became of a request. A link that leads nowhere proves nothing. */
  async function follow(agency: AgencyAccess, reply: Reply | Outcome): Promise<Outcome> {
    if (isOutcome(reply)) return reply
    if (!isGood(reply)) return unfollowed(reply)
    const state = readState(reply.body)
    return 'kind' in state ? state : readPaid(await get(agency, 'transactions', state.transaction))
  }

  return {
    protocol: 'gsma',
    version: 2,
    // The standard names no life of correlation ids. This is half of the day that is usual elsewhere.
    keyLifeHours: 12,
    // If an operator has the order and does not find it yet, its correlation id keeps it from being carried out twice.
    notFound: 'repeat',
    // Operators set their rates in their contracts, and answer 429 or `rateLimitError` where they are exceeded.
    calls: { concurrency: 10, rate: 20 },
    // A name takes two calls: the state of the account, and its name.
    names: { freshDays: 30, rate: 5, perNumber: 25 },
    failures: gsmaFailures,
    account: ({ paying_account }) => textOf(paying_account) ?? '',
    async send(agency, { key, reference, phone, amount, mayLeave }) {
      const body = {
        amount: String(amount),
        currency: 'XOF',
        creditParty: [{ key: 'msisdn', value: phone }],
        debitParty: [payer(agency)],
        requestingOrganisationTransactionReference: reference,
      }
      const headers = { 'x-correlationid': key, ...reportTo(agency, reference) }
      const reply = await call(agency, '/transactions/type/disbursement', { body, mayLeave, headers })
      if (isOutcome(reply)) return reply
      if (reply.status === 201 && reply.body) return readTransaction(reply.body)
      return reply.status === 202 ? readAccepted(reply) : readError(reply)
    },
    async ask(agency, { key }) {
      const reply = await get(agency, 'responses', key)
      if (isOutcome(reply)) return reply
      if (isNotFound(reply)) return { kind: 'not_found' }
      if (!isGood(reply)) return unfollowed(reply)
      const [, kind, id] = textOf(reply.body.link)?.match(link) ?? []
      if (!id) return unreadable
      return kind === 'transactions'
        ? readPaid(await get(agency, kind, id))
        : follow(agency, await get(agency, 'requeststates', id))
    },
    async balance(agency) {
      const { key, value } = payer(agency)
      const reply = await call(agency, `/accounts/${key}/${encodeURIComponent(value)}/balance`)
      if (isOutcome(reply)) return reply
      return isGood(reply) ? (readBalance(reply.body) ?? unreadable) : unfollowed(reply)
    },
    async verifyName(agency, { phone, name }) {
      const holder = `/accounts/msisdn/${encodeURIComponent(phone ?? '')}`
      const status = await call(agency, `${holder}/status`)
      if (isOutcome(status)) return status
      // Nobody holds this number at the operator.
      if (isNotFound(status)) return { name: 'not_told', holder: null, within_limits: null, active: false }
      if (!isGood(status)) return unfollowed(status)
      const reply = await call(agency, `${holder}/accountname`)
      if (isOutcome(reply)) return reply
      if (!isGood(reply)) return unfollowed(reply)
      const accountName = readHolder(reply.body)
      if (accountName === null || typeof status.body.status !== 'string') return unreadable
      return {
        name: accountName ? compareNames(name, accountName) : 'not_told',
        holder: accountName || null,
        within_limits: null,
        active: status.body.status === 'available',
      }
    },
    async reverse(agency, externalTrxId) {
      const path = `/transactions/${encodeURIComponent(externalTrxId)}/reversals`
      // The same id each time, so that a repeated call takes the money back once.
      const headers = { 'x-correlationid': uuidOf(`reversal ${externalTrxId}`) }
      const reply = await call(agency, path, { body: { type: 'reversal' }, mayLeave: always, headers })
      if (isOutcome(reply)) return reply
      if (reply.status === 201) return true
      return reply.status === 202 ? { kind: 'processing', wait_ms: 2_000, echo: {} } : readError(reply)
    },
    readReport({ callback_secret: secret }, { query }) {
      const [reference, given] = [textOf(query.payment), textOf(query.seal)]
      if (typeof secret !== 'string' || reference === null || !given || !/^[0-9a-f]{64}$/.test(given))
        return null
      const due = Buffer.from(sealOf(secret, reference), 'hex')
      return timingSafeEqual(Buffer.from(given, 'hex'), due) ? [reference] : null
    },
  }
}

/** `/transactions/<id>` or `/requeststates/<id>`, with or without what stands before it. */
const link = /\/(transactions|requeststates)\/([\w.~-]{1,200})$/

const isGood = (reply: Reply): reply is Reply & { body: Record<string, unknown> } =>
  reply.status === 200 && reply.body !== null

/** An order that was accepted. One that is carried out already is queried soon, because its state has no fees. */
function readAccepted({ body }: Reply): Outcome {
  const state = body ? readState(body) : unreadable
  return 'kind' in state ? state : { kind: 'processing', wait_ms: 100, echo: {} }
}

/** A query that is refused says nothing about the order, except that its credentials are wrong or that it came too early. */
function unfollowed(reply: Reply): Outcome {
  const outcome = readError(reply)
  if (outcome.kind === 'not_sent' || (outcome.kind === 'unusable' && outcome.reason === 'credentials'))
    return outcome
  return { kind: 'unknown', reason: `http_${reply.status}` }
}

function readPaid(reply: Reply | Outcome): Outcome {
  if (isOutcome(reply)) return reply
  return isGood(reply) ? readTransaction(reply.body) : unfollowed(reply)
}

/** The paying account: `organisationid:7001` is the party `{key: 'organisationid', value: '7001'}`. */
function payer({ details }: AgencyAccess): { key: string; value: string } {
  const [key = '', ...value] = String(details.paying_account).split(':')
  return { key, value: value.join(':') }
}

/**
 * Operators sign no reports, and one of a failure names no payment. So each payment has an address of its own, which only
 * the holder of the agency's secret can make.
 */
function reportTo({ callbackUrl, details }: AgencyAccess, reference: string): Record<string, string> {
  if (!callbackUrl || typeof details.callback_secret !== 'string') return {}
  const query = new URLSearchParams({ payment: reference, seal: sealOf(details.callback_secret, reference) })
  return { 'x-callback-url': `${callbackUrl}?${query}` }
}

const sealOf = (secret: string, reference: string) =>
  createHmac('sha256', secret).update(`payment ${reference}`).digest('hex')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A UUID of version 8 that is derived from a text. */
function uuidOf(text: string): string {
  const digits = sha256(text)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
