import type { Locale } from '@portal/contracts/sentences'
import type { OwnSession, Session, SignIn } from '@portal/contracts/session'
import { type Selectable, sql } from 'kysely'
import { showsFirstDay } from '../home/first-day.service.ts'
import { audit } from '../kit/audit/audit.ts'
import type { Users } from '../kit/database/database.types.ts'
import { type Db, rows, transaction } from '../kit/database/db.ts'
import { invalid, notFound, Refusal } from '../kit/http/refusals.ts'
import { type Actor, type Author, endSessions, startSession } from '../kit/http/session.ts'
import { liveSession } from '../kit/http/session-rows.ts'
import type { Context } from '../kit/process/context.ts'
import type { Settings } from '../kit/process/settings.ts'
import { deriveKey } from '../kit/secrets/keys.ts'
import { hmac } from '../kit/secrets/seal.ts'
import { msg } from '../messages.ts'
import { fitsPassword } from './passwords.ts'
import { takeAttempt } from './rate-limiter.service.ts'
import { spendCode } from './totp.service.ts'

/** Returns what the shell needs at its start, whether the visitor is signed in or not. */
export async function sessionAnswer(
  { db, settings, locale }: { db: Db; settings: Settings; locale: Locale },
  visitor: Actor | null,
): Promise<Session> {
  const firstDay = visitor !== null && (await showsFirstDay(db, visitor.id))
  const user = visitor && {
    id: visitor.id,
    first_name: visitor.first_name,
    last_name: visitor.last_name,
    email: visitor.email,
    roles: [...visitor.roles],
    ...(visitor.totp_needed && { totp_needed: true }),
    ...(firstDay && { first_day: true }),
  }
  return {
    user,
    permissions: [...(visitor?.permissions ?? [])],
    locale: visitor?.locale ?? locale,
    settings: {
      demo: settings.demo,
      four_eyes: settings.fourEyes,
      ...(settings.identityProviders.length > 0 && {
        sign_in_with: settings.identityProviders.map(({ name, label }) => ({ name, label })),
      }),
    },
  }
}

/**
 * Signs in. An unknown e-mail, a wrong password and a deactivated account get the same answer after the same time
 * (Access 1.3). Ends the earlier session of the browser and returns the cookie of the new one.
 */
export async function signIn(
  context: Context,
  author: Author,
  before: Actor | null,
  given: SignIn,
): Promise<string> {
  const { db, settings } = context
  const email = given.email.toLowerCase().slice(0, 254)
  const tried = await triedAccount(db, email, author)
  const succeed = await takeAttempt(db, { kind: 'sign-in', ...tried })
  const user = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
  const mayEnter = user?.account && !user.deactivated_at
  const fits = await fitsPassword(user?.password_hash, given.password, settings.passwordCost)
  if (!user || !fits || !mayEnter) {
    await noteFailure(db, author, user?.id ?? null, user ? { email } : fingerprint(settings, email))
    throw wrong()
  }
  await succeed()
  return enter(context, author, before, { user, code: given.code?.trim(), tried })
}

/** Somebody who has shown who they are, by the password or through an identity provider, and perhaps their code. */
type Shown = {
  user: Selectable<Users>
  code: string | undefined
  tried: Awaited<ReturnType<typeof triedAccount>>
  /** The provider, and when it asked for the password. */
  provider?: { name: string; authenticatedAt: string }
}

/** Begins the session of somebody who has shown who they are, with their code where codes are on. Returns its cookie. */
export async function enter(
  { db, settings }: Context,
  author: Author,
  before: Actor | null,
  { user, code, tried, provider }: Shown,
): Promise<string> {
  if (user.totp_confirmed_at && !code) throw invalid({ code: msg.codeNeeded }, msg.codeNeeded)
  const codeFits = user.totp_confirmed_at ? await takeAttempt(db, { kind: 'code', ...tried }) : null
  const by = { ...author, id: user.id }
  const begun = await transaction(db, async (tx) => {
    const now = await tx
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.id)
      .forUpdate()
      .executeTakeFirst()
    // The account was changed or deactivated while the password was being checked.
    const same = now?.password_hash === user.password_hash && now?.email === user.email
    if (!now?.account || now.deactivated_at || !same) return { refused: 'account' as const }
    if (now.totp_confirmed_at && !(code && (await spendCode(tx, settings, by, now, code))))
      return { refused: 'code' as const }
    if (before) await endSessions(tx, { id: before.session_id })
    await audit(tx, by, 'signed in', 'user', user.id, provider && { new: { provider: provider.name } })
    return { token: await startSession(tx, user.id, by, provider?.authenticatedAt) }
  })
  if ('refused' in begun) {
    const ofCode = begun.refused === 'code'
    await noteFailure(db, author, user.id, { email: user.email, ...(ofCode && { code: false }) })
    throw ofCode ? invalid({ code: 'totp_code' }) : wrong()
  }
  await codeFits?.()
  return begun.token
}

const wrong = () => new Refusal(422, msg.signInWrong, { errors: { email: [msg.signInWrong] } })

/**
 * What was typed as an e-mail that nobody has. People type passwords there, so only a keyed hash is kept: it shows that the
 * same text was tried again (Access 6.1).
 */
export const fingerprint = ({ secret }: Settings, text: string) => ({
  fingerprint: hmac(deriveKey(secret, 'unknown e-mail'), text).toString('hex').slice(0, 16),
})

const noteFailure = (db: Db, author: Author, userId: number | null, details: Record<string, unknown>) =>
  transaction(db, (tx) => audit(tx, author, 'sign-in failed', 'user', userId, { new: details }))

/**
 * Returns what the rate limiter counts for an account. An address that signed in to the account in the last 30 days has a
 * counter of its own, so that neither attempts from elsewhere nor those on other accounts slow the owner down. Somebody who tries
 * this account from that address slows her down by up to a minute.
 */
export async function triedAccount(db: Db, email: string, author: Author) {
  const { rows } = await db.pool.query(
    `select from sessions s join users u on u.id = s.user_id
     where u.email = $1 and s.ip = $2 and s.created_at > now() - interval '30 days' limit 1`,
    [email, author.ip],
  )
  const known = rows.length > 0
  const address = author.ip ?? ''
  return { subject: known ? `${email} ${address}` : email, address, known }
}

/** Ends the session of this call. */
export async function signOut(db: Db, actor: Actor) {
  await transaction(db, async (tx) => {
    await endSessions(tx, { id: actor.session_id })
    await audit(tx, actor, 'signed out', 'user', actor.id)
  })
}

/** Lists the actor's open sessions, the most recently used first. */
export const listSessions = (db: Db, actor: Actor): Promise<OwnSession[]> =>
  rows(
    db,
    sql<OwnSession>`
      select s.id, s.created_at, s.last_seen_at, s.ip, s.user_agent, s.id = ${actor.session_id} as current
      from sessions s where s.user_id = ${actor.id} and ${liveSession} order by s.last_seen_at desc, s.id desc`,
  )

/** Ends one of the actor's own sessions. The session of somebody else gets 404. */
export async function endOwnSession(db: Db, actor: Actor, id: number) {
  await transaction(db, async (tx) => {
    const ended = await sql`
      update sessions set ended_at = now() where id = ${id} and user_id = ${actor.id} and ended_at is null returning id
    `.execute(tx)
    if (!ended.rows.length) throw notFound()
    await audit(tx, actor, 'session ended', 'session', id)
  })
}
