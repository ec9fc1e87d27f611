import type { AgencyAccess, Connector, Order, Outcome } from './connector.ts'
import {
  gsmaFailures,
  isNotFound,
  readBalance,
  readError,
  readState,
  readTransaction,
  textOf,
  unreadable,
} from './gsma-answers.ts'
import { type GsmaCall, gsmaCalls, isGood, sha256, unfollowed } from './gsma-calls.ts'
import { compareHolder } from './gsma-names.ts'
import { readReport, reportTo } from './gsma-reports.ts'
import { type AgencyHttp, always, isOutcome, type Reply } from './http.ts'

/**
 * The connector of the GSMA Mobile Money API 1.2, which several operators speak. Its address ends before `/transactions`,
 * for example `https://api.operator.example/v1.2/mm`. Orders are accepted first and carried out later. They are queried
 * by their correlation id: its response leads to the state of the request, and that to the transaction. The portal signs
 * in with an API key, with a token (OAuth 2), or with both, as the operator asks.
 */
export function gsmaConnector(http: AgencyHttp): Connector {
  const call = gsmaCalls(http)
  return {
    protocol: 'gsma',
    version: 2,
    // The standard names no life of correlation ids. This is half of the day that is usual elsewhere.
    keyLifeHours: 12,
    // If an operator has the order and does not find it yet, its correlation id keeps it from being carried out twice.
    notFound: 'repeat',
    // Operators set their rates in their contracts, and answer 429 or `rateLimitError` where they are exceeded.
    calls: { concurrency: 10, rate: 20 },
    // A name takes two calls.
    names: { freshDays: 30, rate: 5, perNumber: 25 },
    failures: gsmaFailures,
    account: ({ paying_account }) => textOf(paying_account) ?? '',
    send: (agency, order) => sendOrder(call, agency, order),
    ask: (agency, { key }) => queryOrder(call, agency, key),
    balance: (agency) => queryBalance(call, agency),
    verifyName: (agency, recipient) => compareHolder(call, agency, recipient),
    reverse: (agency, externalTrxId) => takeBack(call, agency, externalTrxId),
    readReport,
  }
}

async function sendOrder(call: GsmaCall, agency: AgencyAccess, order: Order): Promise<Outcome> {
  const { key, reference, phone, amount, mayLeave } = order
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
}

/** An order that was accepted. One that is carried out already is queried soon, because its state has no fees. */
function readAccepted({ body }: Reply): Outcome {
  const state = body ? readState(body) : unreadable
  return 'kind' in state ? state : { kind: 'processing', wait_ms: 100, echo: {} }
}

/** `/transactions/<id>` or `/requeststates/<id>`, with or without what stands before it. */
const link = /\/(transactions|requeststates)\/([\w.~-]{1,200})$/

/** What became of the order with this correlation id. */
async function queryOrder(
  call: GsmaCall,
  agency: AgencyAccess,
  key: string,
): Promise<Outcome | { kind: 'not_found' }> {
  const reply = await get(call, agency, 'responses', key)
  if (isOutcome(reply)) return reply
  if (isNotFound(reply)) return { kind: 'not_found' }
  if (!isGood(reply)) return unfollowed(reply)
  const [, kind, id] = textOf(reply.body.link)?.match(link) ?? []
  if (!id) return unreadable
  return kind === 'transactions'
    ? readPaid(await get(call, agency, kind, id))
    : follow(call, agency, await get(call, agency, 'requeststates', id))
}

/** What became of a request. A link that leads nowhere proves nothing. */
async function follow(call: GsmaCall, agency: AgencyAccess, reply: Reply | Outcome): Promise<Outcome> {
  if (isOutcome(reply)) return reply
  if (!isGood(reply)) return unfollowed(reply)
  const state = readState(reply.body)
  return 'kind' in state ? state : readPaid(await get(call, agency, 'transactions', state.transaction))
}

const get = (
  call: GsmaCall,
  agency: AgencyAccess,
  kind: 'responses' | 'requeststates' | 'transactions',
  id: string,
) => call(agency, `/${kind}/${encodeURIComponent(id)}`)

function readPaid(reply: Reply | Outcome): Outcome {
  if (isOutcome(reply)) return reply
  return isGood(reply) ? readTransaction(reply.body) : unfollowed(reply)
}

async function queryBalance(call: GsmaCall, agency: AgencyAccess): Promise<number | Outcome> {
  const { key, value } = payer(agency)
  const reply = await call(agency, `/accounts/${key}/${encodeURIComponent(value)}/balance`)
  if (isOutcome(reply)) return reply
  return isGood(reply) ? (readBalance(reply.body) ?? unreadable) : unfollowed(reply)
}

/** The paying account: `organisationid:7001` is the party `{key: 'organisationid', value: '7001'}`. */
function payer({ details }: AgencyAccess): { key: string; value: string } {
  const [key = '', ...value] = String(details.paying_account).split(':')
  return { key, value: value.join(':') }
}

async function takeBack(
  call: GsmaCall,
  agency: AgencyAccess,
  externalTrxId: string,
): Promise<true | Outcome> {
  const path = `/transactions/${encodeURIComponent(externalTrxId)}/reversals`
  // The same id each time, so that a repeated call takes the money back once.
  const headers = { 'x-correlationid': uuidOf(`reversal ${externalTrxId}`) }
  const reply = await call(agency, path, { body: { type: 'reversal' }, mayLeave: always, headers })
  if (isOutcome(reply)) return reply
  if (reply.status === 201) return true
  return reply.status === 202 ? { kind: 'processing', wait_ms: 2_000, echo: {} } : readError(reply)
}

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
