import { eq, sql } from 'drizzle-orm'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { type Tx, transaction } from '../kit/db.ts'
import { conflict, invalid } from '../kit/refusals.ts'
import { open, seal, sha256 } from '../kit/seal.ts'
import type { Actor, Author } from '../kit/session.ts'
import type { Settings } from '../kit/settings.ts'
import { say } from './messages.ts'
import { makeRecoveryCodes, makeSecret, plainCode, stepOf, totpUri } from './totp.ts'
import { recoveryCodes, users } from './users.tables.ts'

type Person = typeof users.$inferSelect

async function lockSelf(tx: Tx, id: number): Promise<Person> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  if (!user) throw conflict()
  if (user.totp_confirmed_at) throw conflict(say.totpAlready)
  return user
}

/** Makes a secret for the person's authenticator; it takes effect once a code of it is confirmed. */
export async function startTotp({ db, settings }: Context, actor: Actor) {
  const secret = makeSecret()
  await transaction(db, async (tx) => {
    await lockSelf(tx, actor.id)
    await tx
      .update(users)
      .set({ totp_secret: seal(settings.secret, secret), totp_last_step: null })
      .where(eq(users.id, actor.id))
  })
  return { secret, uri: totpUri(secret, actor.email ?? '') }
}

/** Turns one-time codes on and returns the recovery codes, which are stored hashed. */
export async function confirmTotp({ db, settings }: Context, actor: Actor, code: string): Promise<string[]> {
  return transaction(db, async (tx) => {
    const user = await lockSelf(tx, actor.id)
    if (!user.totp_secret) throw conflict(say.totpNotStarted)
    const step = stepOf(open(settings.secret, user.totp_secret), plainCode(code))
    if (step === undefined) throw invalid({ code: 'totp_code' })
    await tx
      .update(users)
      .set({ totp_confirmed_at: sql`now()`, totp_last_step: step })
      .where(eq(users.id, actor.id))
    const codes = makeRecoveryCodes()
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.user_id, actor.id))
    await tx
      .insert(recoveryCodes)
      .values(codes.map((one) => ({ user_id: actor.id, code_hash: sha256(plainCode(one)) })))
    await audit(tx, actor, 'codes turned on', 'user', actor.id)
    return codes
  })
}

/** Turns one-time codes off; roles that ask for them count no longer. */
export async function dropTotp(tx: Tx, author: Author, userId: number) {
  const off = await tx
    .update(users)
    .set({ totp_secret: null, totp_confirmed_at: null, totp_last_step: null })
    .where(sql`${users.id} = ${userId} and ${users.totp_secret} is not null`)
    .returning({ id: users.id })
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.user_id, userId))
  if (off.length) await audit(tx, author, 'codes turned off', 'user', userId)
}

/** Whether this code is valid now. Consumes it, so that neither kind of code works twice. */
export async function spendCode(tx: Tx, settings: Settings, author: Author, user: Person, given: string) {
  const code = plainCode(given)
  if (/^\d{6}$/.test(code)) {
    const step = user.totp_secret ? stepOf(open(settings.secret, user.totp_secret), code) : undefined
    if (step === undefined) return false
    const used = await tx.execute(sql`
      update users set totp_last_step = ${step} where id = ${user.id} and coalesce(totp_last_step, 0) < ${step} returning id`)
    return used.rows.length > 0
  }
  const used = await tx.execute(sql`
    update recovery_codes set used_at = now() where user_id = ${user.id} and code_hash = ${sha256(code)} and used_at is null
    returning id`)
  if (used.rows.length) await audit(tx, author, 'recovery code used', 'user', user.id)
  return used.rows.length > 0
}
