import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tooMany } from './refusals.ts'

/** A rate limiter: refuses a call with 429 after too many calls in the current second. */
export type CallLimit = (request: FastifyRequest) => Promise<void>

/**
 * Limits each session, and each token of a machine, to `perSecond` calls a second. The count is per process, so
 * security must not depend on it; failed sign-ins are counted in the database.
 */
export async function callLimit(http: FastifyInstance, perSecond: number): Promise<CallLimit> {
  await http.register(rateLimit, { global: false, cache: 10_000 })
  const count = http.createRateLimit({
    max: perSecond,
    timeWindow: 1000,
    keyGenerator: ({ visitor, machine }) =>
      visitor ? `session ${visitor.session_id}` : `machine ${machine}`,
  })
  return async (request) => {
    const counted = await count(request)
    if (!counted.isAllowed && counted.isExceeded) throw tooMany(Math.max(1, counted.ttlInSeconds))
  }
}
