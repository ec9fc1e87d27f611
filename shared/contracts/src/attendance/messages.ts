import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, instant, name, page, pageQuery } from '../fields.ts'

/**
 * What a message speaks of, and what happened to it (Messages 1.3). Figures are made of the first two.
 * The others fail with a reason in the log, so that nobody believes they were processed.
 */
const entityTypes = ['attendance', 'teacher_attendance', 'student', 'school', 'parent'] as const
const messageActions = ['create', 'update', 'delete'] as const

const toMoment = (text: string) => new Date(text).toISOString()

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A moment since 1970 that exists, with its time zone. */
function isMoment(text: string): boolean {
  if (!v.is(v.pipe(v.string(), v.isoTimestamp()), text)) return false
  const at = Date.parse(text)
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  return at >= 0 && Number(text.slice(8, 10)) <= lastDay
}

/**
 * One message as a device sends it. Only the envelope is checked when it arrives; what `data` must hold is checked when it
 * is processed, so that a fault in one stands in the log with its reason.
 */
export const SyncMessage = v.object({
  id: v.pipe(v.string('required'), v.trim(), v.nonEmpty('required'), v.maxLength(200, 'too_long|200')),
  entity_type: v.picklist(entityTypes, 'choose'),
  action: v.picklist(messageActions, 'choose'),
  data: v.custom<Record<string, unknown>>(isObject, 'required'),
  /** Kept to the millisecond; one that is more than 10 minutes ahead counts as the time received. */
  created_at: v.pipe(v.string('required'), v.check(isMoment, 'instant'), v.transform(toMoment)),
})
export type SyncMessage = v.InferOutput<typeof SyncMessage>

/** A line of 'Recent messages sync log'; `error` says why a message could not be processed. */
export const LoggedMessage = v.object({
  id: v.number(),
  entity_type: v.string(),
  /** The time the portal received it. */
  received_at: instant,
  created_at: instant,
  action: v.string(),
  data: v.record(v.string(), v.unknown()),
  error: v.nullable(v.string()),
})
export type LoggedMessage = v.InferOutput<typeof LoggedMessage>

/** A bearer token of a device or a gateway; the token itself is shown once, when it is made. */
export const SyncToken = v.object({
  id: v.number(),
  name: v.string(),
  created_at: instant,
  last_used_at: v.nullable(v.string()),
  revoked_at: v.nullable(v.string()),
  user: v.object({ first_name: v.string(), last_name: v.string() }),
})
export type SyncToken = v.InferOutput<typeof SyncToken>

/** The form of a new token. */
const SyncTokenNew = v.object({ name })

export const messages = {
  /** The log of what is not processed yet, oldest failures included; newest first. */
  list: endpoint({
    method: 'GET',
    path: '/home/messages',
    access: 'session',
    query: pageQuery([], { state: v.optional(v.picklist(['waiting', 'failed'], 'choose')) }),
    answer: v.object({ messages: page(LoggedMessage), waiting: v.number(), failed: v.number() }),
  }),
  retry: endpoint({ method: 'POST', path: '/home/messages/:id/retry', access: 'sync.manage', answer: done }),
  /**
   * Native batch, a RapidPro webhook, a KoboToolbox submission or a CommCare form: told apart by their shape. Bearer token,
   * no session. At most 1,000 messages a call; `errors` maps a field to its sentences. 202.
   */
  sync: endpoint({
    method: 'POST',
    path: '/sync/messages',
    access: 'machine',
    body: v.unknown(),
    // What a device has collected in weeks without a network comes in one call.
    bodyLimit: 25 * 1024 * 1024,
    answer: v.object({
      accepted: v.number(),
      duplicates: v.number(),
      rejected: v.array(v.object({ id: v.string(), errors: v.record(v.string(), v.array(v.string())) })),
    }),
  }),
  tokens: endpoint({
    method: 'GET',
    path: '/admin/sync/tokens',
    access: 'sync.manage',
    query: pageQuery([]),
    answer: v.object({ tokens: page(SyncToken) }),
  }),
  /** A device with a token reports attendance in the name of its schools. */
  createToken: endpoint({
    method: 'POST',
    path: '/admin/sync/tokens',
    access: 'sync.manage',
    fresh: true,
    body: SyncTokenNew,
    answer: v.object({ message: v.string(), id: v.number(), token: v.string() }),
  }),
  revokeToken: endpoint({
    method: 'DELETE',
    path: '/admin/sync/tokens/:id',
    access: 'sync.manage',
    fresh: true,
    answer: done,
  }),
}
