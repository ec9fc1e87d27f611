import type {
  AgencyAccess,
  AgencyPayment,
  Connector,
  Echo,
  Order,
  Outcome,
  PaymentPage,
} from './connector.ts'
import { type AgencyHttp, isOutcome, type Reply } from './http.ts'

/** The connector of the bundled simulator (deploy/sandbox-agency/README.md). */
export function sandboxConnector(http: AgencyHttp): Connector {
  const headers = (agency: AgencyAccess): Record<string, string> =>
    typeof agency.details.token === 'string' ? { authorization: `Bearer ${agency.details.token}` } : {}
  const address = (agency: AgencyAccess, path: string) => `${agency.endpoint.replace(/\/+$/, '')}${path}`

  return {
    protocol: 'sandbox',
    version: 1,
    keyLifeHours: 7 * 24,
    notFound: 'repeat',
    calls: { concurrency: 50, rate: null },
    failures: {
      account_unknown: 'recipient',
      account_blocked: 'recipient',
      recipient_unreachable: 'recipient',
      limit_exceeded: 'limit',
      invalid_request: 'configuration',
      insufficient_funds_payer: 'funds',
      too_many_requests: 'transient',
    },
    account: (details) => (typeof details.account === 'string' ? details.account : ''),
    async send(agency: AgencyAccess, order: Order) {
      const reply = await http.call(address(agency, '/payments'), {
        method: 'POST',
        headers: {
          ...headers(agency),
          'content-type': 'application/json',
          'idempotency-key': order.key,
        },
        body: JSON.stringify({
          reference: order.reference,
          phone: order.phone,
          amount: order.amount,
          currency: 'XOF',
          name: order.name,
        }),
        mayLeave: order.mayLeave,
      })
      return isOutcome(reply) ? reply : read(reply)
    },
    async ask(agency, instruction) {
      const reply = await http.call(address(agency, `/payments/${encodeURIComponent(instruction.key)}`), {
        method: 'GET',
        headers: headers(agency),
      })
      if (isOutcome(reply)) return reply
      // The simulator answers 404 until it has accepted the key, so the order may be sent again with this key only.
      return reply.status === 404 && reply.body?.code === 'not_found' ? { kind: 'not_found' } : read(reply)
    },
    async askReference(agency, reference) {
      const url = address(agency, `/payments?reference=${encodeURIComponent(reference)}`)
      const reply = await http.call(url, { method: 'GET', headers: headers(agency) })
      return isOutcome(reply) ? reply : (readPayments(reply) ?? unreadable)
    },
    async list(agency, since, after) {
      const query = new URLSearchParams({ since, after: String(after), limit: '100' })
      const url = address(agency, `/payments?${query}`)
      const reply = await http.call(url, { method: 'GET', headers: headers(agency) })
      return isOutcome(reply) ? reply : (readPage(reply, after) ?? unreadable)
    },
  }
}

function read({ status, body, retry_after_ms }: Reply): Outcome {
  const code = typeof body?.code === 'string' ? body.code : ''
  if (status === 200) return body ? readPayment(body) : { kind: 'unknown', reason: 'answer_unreadable' }
  if (status === 402 && code === 'insufficient_funds_payer') return { kind: 'unusable', reason: 'funds' }
  if (status === 401) return { kind: 'unusable', reason: 'credentials' }
  if (status === 429)
    return { kind: 'not_sent', reason: 'too_many_requests', wait_ms: retry_after_ms ?? 1000 }
  // With 400 the simulator has not accepted the order, so the refusal is final.
  if (status === 400 && code === 'invalid_request')
    return { kind: 'failed', reason: 'invalid_request', external_trx_id: null, echo: {} }
  return { kind: 'unknown', reason: `http_${status}` }
}

function readPayment(body: Record<string, unknown>): Outcome {
  const { id, fee = null, reason } = body
  if (typeof id !== 'string') return { kind: 'unknown', reason: 'answer_unreadable' }
  const echo: Echo = {
    key: textOf(body.key),
    reference: textOf(body.reference),
    amount: typeof body.amount === 'number' ? body.amount : null,
    currency: textOf(body.currency),
    recipient: textOf(body.phone),
  }
  if (body.status === 'success') {
    if (fee !== null && typeof fee !== 'number') return { kind: 'unknown', reason: 'fee_unreadable' }
    return { kind: 'success', external_trx_id: id, agency_fees: fee, echo }
  }
  if (body.status === 'failed')
    return {
      kind: 'failed',
      reason: typeof reason === 'string' ? reason : 'refused',
      external_trx_id: id,
      echo,
    }
  if (body.status === 'pending') return { kind: 'processing', wait_ms: 1000, echo }
  return { kind: 'unknown', reason: 'answer_unreadable' }
}

const unreadable: Outcome = { kind: 'unknown', reason: 'answer_unreadable' }

function readPayments({ status, body }: Reply): AgencyPayment[] | null {
  if (status !== 200 || !Array.isArray(body?.payments)) return null
  const payments = body.payments.map(readListed)
  return payments.every((payment) => payment !== null) ? payments : null
}

/** A page whose next one does not come after it would be read for ever. */
function readPage(reply: Reply, after: number): PaymentPage | null {
  const payments = readPayments(reply)
  const next = reply.body?.next ?? null
  if (!payments) return null
  if (next === null) return { payments, next }
  return Number.isSafeInteger(next) && Number(next) > after ? { payments, next: Number(next) } : null
}

function readListed(value: unknown): AgencyPayment | null {
  if (typeof value !== 'object' || value === null) return null
  const body = value as Record<string, unknown>
  const { key, status, amount } = body
  if (typeof key !== 'string' || typeof status !== 'string') return null
  return {
    key,
    reference: textOf(body.reference),
    external_trx_id: textOf(body.id),
    phone: textOf(body.phone),
    amount: Number.isSafeInteger(amount) ? Number(amount) : null,
    state: status,
    at: textOf(body.at),
    // The agency has received the order and not decided on it, so it must not be sent with another key.
    outcome: status === 'none' ? { kind: 'unknown', reason: 'received' } : readPayment(body),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
