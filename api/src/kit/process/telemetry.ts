import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Parent, SpanKind, Traces, Tracing } from './telemetry-export.ts'

// Traces by OpenTelemetry (decision 163). Its packages are loaded only if the settings name a receiver. A span has names, states
// and times, and never a value: no parameter of a statement, no id in a path, no key, no number, no person.

let tracing: Tracing | null = null
const current = new AsyncLocalStorage<Span>()
const ofRequest = new WeakMap<FastifyRequest, Span>()

/** Starts to send spans if the settings name a receiver. Returns the function that sends the last ones. */
export async function startTracing(traces: Traces | undefined, role: string): Promise<() => Promise<void>> {
  if (!traces) return async () => {}
  const { exportTraces } = await import('./telemetry-export.ts')
  const started = exportTraces(traces, role)
  tracing = started
  return async () => {
    tracing = null
    await started.stop()
  }
}

/** The id of the trace for the log. */
export const traceFields = (): { trace_id?: string } => idOf(current.getStore())
const idOf = (span: Span | undefined) => (span ? { trace_id: span.spanContext().traceId } : {})

/** What a job has with it, so that its trace goes on in the worker. */
export function traceparent(): { traceparent?: string } {
  const span = current.getStore()
  return tracing && span ? { traceparent: tracing.traceparent(span) } : {}
}

type Work<T> = (span: Span | undefined) => Promise<T>

/** Does work within a span. `parent` is that of another process. */
export function traced<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: Work<T>,
  parent: Parent = current.getStore(),
): Promise<T> {
  return tracing ? within(tracing, tracing.start(name, kind, attributes, parent), work) : work(undefined)
}

async function within<T>(own: Tracing, span: Span, work: Work<T>): Promise<T> {
  try {
    return await current.run(span, () => work(span))
  } catch (error) {
    own.fail(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Notes a statement that has ended, if something is traced: the statements of watching workers would hide all others. */
export function noteStatement(text: string, ms: number, error?: unknown) {
  const parent = current.getStore()
  if (!tracing || !parent) return
  // Texts that stand in a statement are not values of people, but nobody has to think about it.
  const statement = text
    .replace(/'(?:[^']|'')*'/g, "'?'")
    .replace(/\s+/g, ' ')
    .trim()
  const name = /^\w+/.exec(statement)?.[0].toLowerCase() ?? 'statement'
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': statement.slice(0, 1000) }
  const span = tracing.start(name, 'client', attributes, parent, Date.now() - ms)
  if (error) tracing.fail(span, error)
  span.end()
}

/** Runs a statement of the driver and notes it. */
export function statement<T>(text: string, run: () => Promise<T>): Promise<T> {
  return tracing ? timed(text, run) : run()
}

async function timed<T>(text: string, run: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    const result = await run()
    noteStatement(text, performance.now() - began)
    return result
  } catch (error) {
    noteStatement(text, performance.now() - began, error)
    throw error
  }
}

/** Makes a span of every call, with the pattern of its route. It continues the trace of a proxy that the settings trust. */
export function traceRequests(server: FastifyInstance) {
  server.addHook('onRequest', async (request) => {
    if (!tracing) return
    const { method, routeOptions } = request
    const route = routeOptions.url ?? 'unknown'
    // Fastify lists more than one address only if whoever connected is a trusted proxy.
    const given = (request.ips?.length ?? 0) > 1 ? request.headers.traceparent : undefined
    const attributes = { 'http.request.method': method, 'http.route': route, 'portal.request_id': request.id }
    const parent = typeof given === 'string' ? given : undefined
    ofRequest.set(request, tracing.start(`${method} ${route}`, 'server', attributes, parent))
  })
  server.addHook('onResponse', async (request, reply) => {
    const span = ofRequest.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) tracing?.fail(span as Span, undefined)
    span?.end()
  })
}

/** Does a part of a call within its span. The body arrives outside of it. */
export function withinCall<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const span = ofRequest.get(request)
  return span ? current.run(span, work) : work()
}

/** The id of a call's trace, for the lines that are logged outside of it. */
export const traceOf = (request: FastifyRequest) => idOf(ofRequest.get(request))
