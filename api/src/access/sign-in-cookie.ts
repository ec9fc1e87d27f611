import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Settings } from '../kit/process/settings.ts'
import { open, seal } from '../kit/secrets/seal.ts'

/** How long a sign-in at a provider may take, and then the one-time code. */
const longestMs = 10 * 60_000

/** This browser was led to a provider. */
const Started = v.object({
  at: v.literal('provider'),
  provider: v.string(),
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  again: v.boolean(),
  next: v.nullable(v.string()),
})
/** A provider has vouched for the person at this browser, and her one-time code is missing. */
const Vouched = v.object({
  at: v.literal('code'),
  provider: v.string(),
  user_id: v.number(),
  email: v.string(),
  auth_time: v.nullable(v.number()),
})
const Kept = v.intersect([
  v.variant('at', [Started, Vouched]),
  v.object({
    until: v.pipe(
      v.number(),
      v.check((until) => until > Date.now()),
    ),
  }),
])
export type Started = v.InferOutput<typeof Started>
export type Vouched = v.InferOutput<typeof Vouched>

const secureIn = ({ publicUrl }: Settings) => publicUrl.startsWith('https:')
const nameIn = (settings: Settings) => (secureIn(settings) ? '__Host-portal_sign_in' : 'portal_sign_in')
const attributes = (settings: Settings) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: secureIn(settings) }) as const

/**
 * Keeps how far a sign-in is in the browser that makes it, sealed, for ten minutes. No process remembers it, and another
 * browser cannot finish it.
 */
export function keepStep(settings: Settings, reply: FastifyReply, step: Started | Vouched) {
  const until = Date.now() + longestMs
  const sealed = seal(settings.secret, JSON.stringify({ ...step, until })).toString('base64url')
  void reply.setCookie(nameIn(settings), sealed, { ...attributes(settings), maxAge: longestMs / 1000 })
}

/** Returns the step that this browser is at, or null. */
export function readStep(settings: Settings, request: FastifyRequest): Started | Vouched | null {
  const sealed = request.cookies[nameIn(settings)]
  if (!sealed) return null
  try {
    return v.parse(Kept, JSON.parse(open(settings.secret, Buffer.from(sealed, 'base64url'))))
  } catch {
    return null
  }
}

/** Forgets the step: each can be done once by this browser. */
export function dropStep(settings: Settings, reply: FastifyReply) {
  void reply.clearCookie(nameIn(settings), attributes(settings))
}
