import { hostname } from 'node:os'
import {
  type Attributes,
  type Context,
  SpanKind as Kind,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'

/** What a span is: a call that arrived, a call that we make, a job, or work within one of them. */
export type SpanKind = keyof typeof kinds
/** Where a span belongs: below another one, or below one of another process (W3C `traceparent`). */
export type Parent = Span | string | undefined
/** Where spans are sent, and the share of traces that begin here. */
export type Traces = { url: string; ratio: number }
/** What the other files of the api need to make spans. */
export type Tracing = {
  start(name: string, kind: SpanKind, attributes: Attributes, parent: Parent, startedAt?: number): Span
  traceparent(span: Span): string
  fail(span: Span, error: unknown): void
  stop(): Promise<void>
}

const kinds = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  consumer: Kind.CONSUMER,
  internal: Kind.INTERNAL,
}

/** Sends spans to a receiver of OTLP by HTTP, in batches. If it is away, spans are lost and nothing else happens. */
export function exportTraces(traces: Traces, role: string): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `portal-${role}`, 'service.instance.id': hostname() }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(traces.ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${traces.url.replace(/\/$/, '')}/v1/traces`,
          timeoutMillis: 5000,
        }),
        scheduledDelayMillis: 1000,
      }),
    ],
  })
  const tracer = provider.getTracer('portal')
  return {
    start: (name, kind, attributes, parent, startTime) =>
      tracer.startSpan(
        name,
        { kind: kinds[kind], attributes, ...(startTime && { startTime }) },
        contextOf(parent),
      ),
    traceparent(span) {
      const { traceId, spanId, traceFlags } = span.spanContext()
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
    },
    fail(span, error) {
      // The kind of the fault only: a message may have values of a person.
      const { code, name } = (error ?? {}) as { code?: unknown; name?: string }
      span.setStatus({ code: SpanStatusCode.ERROR })
      if (error) span.setAttribute('error.type', String(code ?? name ?? 'error'))
    },
    stop: () => provider.shutdown().catch(() => {}),
  }
}

function contextOf(parent: Parent): Context {
  if (parent === undefined) return ROOT_CONTEXT
  if (typeof parent === 'object') return trace.setSpan(ROOT_CONTEXT, parent as Span)
  const remote = remoteOf(parent)
  return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
}

/** Reads `traceparent`. An invalid one, or one of only zeros, starts a new trace. */
function remoteOf(header: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(header) ?? []
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}
