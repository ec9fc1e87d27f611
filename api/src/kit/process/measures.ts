import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** The figures of this process, for Prometheus. Event loop, memory and CPU are among them. */
export const measures = new Registry()
collectDefaultMetrics({ register: measures })

const requestSeconds = new Histogram({
  name: 'portal_http_request_duration_seconds',
  help: 'Duration of requests, by method, pattern of the route and status',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.02, 0.05, 0.15, 0.5, 1, 2, 5, 15, 30],
  registers: [measures],
})

/**
 * Measures every request of the server. The label is the pattern of the route, because addresses have ids and secrets;
 * pages and unknown addresses are `other`.
 */
export function measureRequests(server: FastifyInstance) {
  server.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const labels = { method, route: routeOptions.url ?? 'other', status: reply.statusCode }
    requestSeconds.observe(labels, reply.elapsedTime / 1000)
    done()
  })
}
