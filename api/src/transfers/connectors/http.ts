import { Agent, DecoratorHandler, type Dispatcher, request } from 'undici'
import { traced } from '../../kit/process/telemetry.ts'
import type { MayLeave, Outcome } from './connector.ts'

/** An agency's response: its status and its JSON body, `null` if the body is not a JSON object. */
export type Reply = { status: number; retry_after_ms: number | null; body: Record<string, unknown> | null }

type AgencyCall = {
  headers?: Record<string, string>
  within_ms?: number
} & ({ method: 'GET' } | { method: 'POST'; body: string; mayLeave: MayLeave })

/** What a connector posts as JSON. */
export type Post = { body: object; mayLeave: MayLeave; headers?: Record<string, string> }

/** For calls that are no orders. */
export const always: MayLeave = () => true

/** Errors that occur before any byte of the order is sent. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'EADDRNOTPUBLIC',
])

/** Maximum size of a response about one payment. */
const maxAnswerBytes = 64 * 1024

/** Makes an HTTP client for one agency. `lookup` refuses internal addresses (Money 7.1). It follows no redirects. */
export function agencyHttp(options: {
  connections: number
  /** Timeout of the whole call, to the last byte of the response, so that a slow response cannot occupy a slot. */
  timeout_ms: number
  lookup?: NonNullable<Agent.Options['connect']>
}) {
  const agent = new Agent({
    connections: options.connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    headersTimeout: options.timeout_ms,
    bodyTimeout: options.timeout_ms,
    connect: options.lookup ?? { timeout: 5_000 },
  })

  /**
   * Makes a call. A failure is returned as the outcome that it means for the payment. `within_ms` leaves the call less
   * time than the agency's calls have.
   */
  function call(url: string, init: AgencyCall): Promise<Reply | Outcome> {
    // The trace has only the host, because paths contain ids of payments and telephone numbers.
    const facts = { 'server.address': new URL(url).host, 'http.request.method': init.method }
    return traced(`${init.method} agency`, 'client', facts, async (span) => {
      const reply = await send(url, init)
      if (isOutcome(reply)) span?.setAttribute('portal.outcome', reply.kind)
      else span?.setAttribute('http.response.status_code', reply.status)
      return reply
    })
  }

  async function send(url: string, init: AgencyCall): Promise<Reply | Outcome> {
    const overdue = new AbortController()
    const timer = setTimeout(() => overdue.abort(), init.within_ms ?? options.timeout_ms)
    try {
      const answer = await request(url, {
        ...(init.method === 'GET'
          ? { dispatcher: agent, method: 'GET', body: null }
          : { dispatcher: guarded(agent, init.mayLeave), method: 'POST', body: init.body }),
        headers: { accept: 'application/json', ...init.headers },
        signal: overdue.signal,
      })
      const text = await readText(answer.body)
      const seconds = Number(answer.headers['retry-after'])
      return {
        status: answer.statusCode,
        retry_after_ms:
          Number.isFinite(seconds) && seconds > 0 ? Math.ceil(Math.min(seconds, 3600) * 1000) : null,
        body: readObject(text),
      }
    } catch (error) {
      if (error instanceof Withheld) return { kind: 'not_sent', reason: 'withheld', wait_ms: 0 }
      if (error instanceof AnswerTooBig) return { kind: 'unknown', reason: 'answer_too_big' }
      if (overdue.signal.aborted) return { kind: 'unknown', reason: 'no_answer_in_time' }
      const code = (error as { code?: string }).code ?? ''
      return beforeSending.has(code)
        ? { kind: 'unusable', reason: 'unreachable' }
        : { kind: 'unknown', reason: code || 'no_answer' }
    } finally {
      clearTimeout(timer)
    }
  }

  return { call, timeout_ms: options.timeout_ms, close: () => agent.destroy() }
}

export type AgencyHttp = ReturnType<typeof agencyHttp>

/** Whether `call` got no response and returned the outcome that this means. */
export function isOutcome(reply: Reply | Outcome): reply is Outcome {
  return 'kind' in reply
}

/** Reads `mayLeave` when a connection is open and nothing was written. Until then a process may have been frozen for long. */
const guarded = (agent: Agent, mayLeave: MayLeave) =>
  agent.compose((dispatch) => (options, handler) => {
    const guard: Dispatcher.DispatchHandler = new DecoratorHandler(handler)
    const start = guard.onRequestStart?.bind(guard)
    guard.onRequestStart = (controller, context) => {
      if (!mayLeave()) throw new Withheld()
      start?.(controller, context)
    }
    return dispatch(options, guard)
  })

class Withheld extends Error {}
class AnswerTooBig extends Error {}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new AnswerTooBig()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
