import type { Permission } from '@portal/contracts/permissions'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { UUID_REGEX } from 'valibot'
import { type Db, type Reader, rows, type Tx } from '../database/db.ts'
import { nothingGranted, readGrants } from '../database/grants.ts'
import type { Settings } from '../process/settings.ts'
import { randomToken, sha256, sign, signatureFits, signedBy } from '../secrets/seal.ts'
import { signInAnew } from './refusals.ts'
import { readSessionRow, type SessionPerson } from './session-rows.ts'

/** The author of an audit row. `id` is null if nobody is signed in or the portal itself acts. */
export type Author = {
  id: number | null
  ip: string | null
  user_agent: string | null
  request_id: string | null
  /** The isolated module that called for the person, `<module>/<build>`. */
  module?: string | undefined
}

/** The signed-in person of a call. Permissions are read at every call, so that changes take effect at once. */
export type Actor = Author &
  SessionPerson & {
    roles: readonly { id: number; name: string }[]
    /** One of their roles asks for one-time codes. */
    totp_required: boolean
    /** They have not set them up: until then they have no permissions, and only their own profile is open to them. */
    totp_needed: boolean
    /** The key of the form that sent the call (Calls 1.9). */
    form: string | undefined
    /** The setting by which this was read, for whoever reads permissions again under a lock. */
    requireCodes: boolean
    permissions: readonly Permission[]
    can(permission: Permission): boolean
  }

/** The portal itself, in jobs. */
export const portal: Author = { id: null, ip: null, user_agent: 'portal', request_id: null }

/**
 * The name of the session cookie. Over https its prefix makes browsers refuse it from any other host. Without https they
 * refuse that prefix.
 */
export const sessionCookie = ({ publicUrl }: Settings) =>
  publicUrl.startsWith('https:') ? '__Host-portal_session' : 'portal_session'
const xsrfCookie = 'XSRF-TOKEN'

/**
 * Reads the session of the request's cookie with its person and roles. What the roles permit is read once for as long as its
 * stamp is the same.
 */
export async function readSession(
  { db, settings }: { db: Db; settings: Settings },
  request: FastifyRequest,
): Promise<Actor | null> {
  const token = request.cookies[sessionCookie(settings)]
  if (!token) return null
  const row = await readSessionRow(db, sha256(token))
  if (!row) return null
  const { stale, without_codes, role_ids, stamp, ...person } = row
  // A poll does not prolong the session (Access 2.2). Writing once a minute is precise enough for 8 hours.
  if (stale && !request.headers['x-poll']) {
    await rows(db, sql`update sessions set last_seen_at = now() where id = ${row.session_id}`)
  }
  const grants = await readGrants(db, settings.requireCodes, role_ids, stamp)
  const totp_needed = without_codes && grants.totp_required
  const { roles, totp_required } = grants
  const { permissions, granted } = totp_needed ? nothingGranted : grants
  return {
    ...person,
    roles,
    totp_required,
    totp_needed,
    requireCodes: settings.requireCodes,
    permissions,
    can: (permission) => granted.has(permission),
    form: formOf(request.headers),
    ...origin(request),
  }
}

/** The key of the form that a call was sent by; undefined for a caller without forms. */
function formOf({ 'x-form': given }: FastifyRequest['headers']): string | undefined {
  return typeof given === 'string' && UUID_REGEX.test(given) ? given : undefined
}

/** The origin of a call, for audit rows and sessions. */
export function origin(request: FastifyRequest) {
  return {
    ip: request.ip,
    user_agent: request.headers['user-agent']?.slice(0, 500) ?? null,
    request_id: request.id,
  }
}

/**
 * Throws 403 unless the person entered their password (and code) within the last 5 minutes. Signing in counts
 * (Access 2.4), through a provider if it asked for the password then.
 */
export async function requireRecentSignIn(db: Reader, actor: Actor): Promise<void> {
  const recent = await sql`
    select from sessions where id = ${actor.session_id}
      and least(created_at, authenticated_at) > now() - interval '5 minutes'`.execute(db)
  if (!recent.rows.length) throw signInAnew()
}

/**
 * Starts a session and returns the cookie's value. The database stores only its hash. `authenticatedAt` is when an identity
 * provider asked for the password; without one that was now.
 */
export async function startSession(
  tx: Tx,
  userId: number,
  from: Author,
  authenticatedAt: string | null = null,
): Promise<string> {
  const token = randomToken()
  await sql`insert into sessions (user_id, token_hash, ip, user_agent, authenticated_at)
    values (${userId}, ${sha256(token)}, ${from.ip}, ${from.user_agent}, ${authenticatedAt})`.execute(tx)
  return token
}

/** Ends one session, or all sessions of a person except `except`. Returns how many have ended. */
export async function endSessions(
  tx: Tx,
  which: { id: number } | { user_id: number; except?: number },
): Promise<number> {
  const { numAffectedRows } =
    'id' in which
      ? await sql`update sessions set ended_at = now() where id = ${which.id} and ended_at is null`.execute(
          tx,
        )
      : await sql`update sessions set ended_at = now()
          where user_id = ${which.user_id} and ended_at is null and id <> ${which.except ?? 0}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Whether the portal made this CSRF token for this session (or for a browser without one). A token of the former secret is
 * valid, and `former`, so that it can be replaced while it still is.
 */
function checkToken({ secret }: Settings, token: string | undefined, session: string) {
  const [nonce, mac] = token?.split('.') ?? []
  if (!nonce || !mac) return { valid: false, former: false }
  const signature = Buffer.from(mac, 'base64url')
  const valid = signatureFits(secret, 'xsrf', `${nonce}.${session}`, signature)
  return { valid, former: valid && signedBy(secret, signature) === secret.former }
}

/** Whether the page of a call was opened for somebody else: at a shared computer tabs stay open (Access 2.7). */
export function isOfAnother({ visitor, headers }: FastifyRequest): boolean {
  const opened = headers['x-user']
  return opened !== undefined && opened !== String(visitor?.id)
}

/**
 * Checks the CSRF tokens of header and cookie: the portal made both for this session. They may differ, because calls at the same
 * moment, after the cookie was lost, are each answered with another one.
 */
export function passesAntiForgery(settings: Settings, request: FastifyRequest): boolean {
  const header = request.headers['x-xsrf-token']
  const session = request.cookies[sessionCookie(settings)] ?? ''
  return (
    typeof header === 'string' &&
    [header, request.cookies[xsrfCookie]].every((token) => checkToken(settings, token, session).valid)
  )
}

/**
 * Sets a CSRF token for the browser's session unless it has a valid one. With `always` the cookie is set again. A token of
 * the former secret is replaced, but not one of the next, so that machines with either secret do not take turns.
 */
export function offerToken(
  settings: Settings,
  request: FastifyRequest,
  reply: FastifyReply,
  always: boolean,
) {
  const session = request.cookies[sessionCookie(settings)] ?? ''
  const current = request.cookies[xsrfCookie]
  const { valid, former } = checkToken(settings, current, session)
  const lasting = valid && !former
  if (lasting && !always) return
  setToken(settings, reply, lasting && current ? current : newToken(settings, session))
}

function newToken(settings: Settings, session: string) {
  const nonce = randomToken().slice(0, 22)
  return `${nonce}.${sign(settings.secret, 'xsrf', `${nonce}.${session}`).toString('base64url')}`
}

function setToken(settings: Settings, reply: FastifyReply, value: string) {
  const secure = settings.publicUrl.startsWith('https:')
  void reply.setCookie(xsrfCookie, value, { path: '/', sameSite: 'lax', secure })
}

/** Sets or removes the session cookie, with a CSRF token that is bound to the session. */
export function setSession(settings: Settings, reply: FastifyReply, token: string | null) {
  const secure = settings.publicUrl.startsWith('https:')
  const name = sessionCookie(settings)
  if (token) void reply.setCookie(name, token, { path: '/', httpOnly: true, sameSite: 'lax', secure })
  else void reply.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'lax', secure })
  setToken(settings, reply, newToken(settings, token ?? ''))
}
