import { type Selectable, sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import type { Users } from '../kit/database/database.types.ts'
import { type Tx, transaction } from '../kit/database/db.ts'
import { conflict, invalid } from '../kit/http/refusals.ts'
import { type Actor, type Author, endSessions } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import type { Settings } from '../kit/process/settings.ts'
import { open, seal, sha256 } from '../kit/secrets/seal.ts'
import { letters, sendReport } from './letters.ts'
import { say } from './messages.ts'
import { makeRecoveryCodes, makeSecret, plainCode, stepOf, totpUri } from './totp.ts'

type Person = Selectable<Users>

async function lockSelf(tx: Tx, id: number): Promise<Person> {
  const user = await tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!user) throw conflict()
  if (user.totp_confirmed_at) throw conflict(say.totpAlready)
  return user
}

/** Makes a secret for the person's authenticator. It takes effect once a code of it is confirmed. */
export async function startTotp({ db, settings }: Context, actor: Actor) {
  const secret = makeSecret()
  await transaction(db, async (tx) => {
    await lockSelf(tx, actor.id)
    await tx
      .updateTable('users')
      .set({ totp_secret: seal(settings.secret, secret), totp_last_step: null })
      .where('id', '=', actor.id)
      .execute()
  })
  return { secret, uri: totpUri(secret, actor.email ?? '') }
}

/**
 * Turns one-time codes on and returns the recovery codes, which are stored hashed. Other sessions end, because they
 * began without a code.
 */
export async function confirmTotp({ db, settings }: Context, actor: Actor, code: string): Promise<string[]> {
  return transaction(db, async (tx) => {
    const user = await lockSelf(tx, actor.id)
    if (!user.totp_secret) throw conflict(say.totpNotStarted)
    const step = stepOf(open(settings.secret, user.totp_secret), plainCode(code))
    if (step === undefined) throw invalid({ code: 'totp_code' })
    await tx
      .updateTable('users')
      .set({ totp_confirmed_at: sql`now()`, totp_last_step: step })
      .where('id', '=', actor.id)
      .execute()
    const codes = await replaceRecoveryCodes(tx, actor.id)
    await endSessions(tx, { user_id: actor.id, except: actor.session_id })
    await audit(tx, actor, 'codes turned on', 'user', actor.id)
    await sendReport(tx, settings, actor.id, letters.codesOn)
    return codes
  })
}

/** Replaces the recovery codes of a person. Whatever is left of the earlier ones stops working; sessions go on. */
export async function renewRecoveryCodes({ db, settings }: Context, actor: Actor): Promise<string[]> {
  return transaction(db, async (tx) => {
    const user = await tx
      .selectFrom('users')
      .selectAll()
      .where('id', '=', actor.id)
      .forUpdate()
      .executeTakeFirst()
    if (!user?.totp_confirmed_at) throw conflict(say.totpIsOff)
    const codes = await replaceRecoveryCodes(tx, actor.id)
    await audit(tx, actor, 'recovery codes renewed', 'user', actor.id)
    await sendReport(tx, settings, actor.id, letters.newRecoveryCodes)
    return codes
  })
}

async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = makeRecoveryCodes()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((one) => ({ user_id: userId, code_hash: sha256(plainCode(one)) })))
    .execute()
  return codes
}

/** Turns one-time codes off, and tells the person by mail. A role that asks for them asks again (Access 1.5). */
export async function dropTotp(tx: Tx, settings: Settings, author: Author, userId: number) {
  const before = await tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const off = await tx
    .updateTable('users')
    .set({ totp_secret: null, totp_confirmed_at: null, totp_last_step: null })
    .where('id', '=', userId)
    .where('totp_secret', 'is not', null)
    .returning('id')
    .execute()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (off.length) await audit(tx, author, 'codes turned off', 'user', userId)
  if (before.totp_confirmed_at) await sendReport(tx, settings, userId, letters.codesOff)
}

/** Whether this code is valid now. Consumes it, so that neither kind of code works twice. */
export async function spendCode(tx: Tx, settings: Settings, author: Author, user: Person, given: string) {
  const code = plainCode(given)
  if (/^\d{6}$/.test(code)) {
    const step = user.totp_secret ? stepOf(open(settings.secret, user.totp_secret), code) : undefined
    if (step === undefined) return false
    const used = await sql`
      update users set totp_last_step = ${step} where id = ${user.id} and coalesce(totp_last_step, 0) < ${step} returning id
    `.execute(tx)
    return used.rows.length > 0
  }
  const used = await sql`
    update recovery_codes set used_at = now() where user_id = ${user.id} and code_hash = ${sha256(code)} and used_at is null
    returning id`.execute(tx)
  if (used.rows.length) await audit(tx, author, 'recovery code used', 'user', user.id)
  return used.rows.length > 0
}
