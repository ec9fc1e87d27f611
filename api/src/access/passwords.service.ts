import type { PasswordChange, PasswordReset } from '@portal/contracts/session'
import { eq, sql } from 'drizzle-orm'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { type Tx, transaction } from '../kit/db.ts'
import { conflict, invalid } from '../kit/refusals.ts'
import { sha256 } from '../kit/seal.ts'
import { type Actor, type Author, endSessions, startSession } from '../kit/session.ts'
import { say } from './messages.ts'
import { dropLinks } from './password-links.service.ts'
import { fitsPassword, hashPassword, passwordFault } from './passwords.ts'
import { takeAttempt } from './rate-limiter.service.ts'
import { users } from './users.tables.ts'

/** Sets a password with the token of an invitation or a reset letter; every session ends. */
export async function resetPassword({ db, settings }: Context, author: Author, given: PasswordReset) {
  const token = sha256(given.token)
  const succeed = await takeAttempt(db, 'reset', token.toString('hex'), author.ip ?? '')
  const fresh = sql`token_hash = ${token} and used_at is null and expires_at > now()`
  const found = await db.execute<{ id: number; email: string | null }>(sql`
    select u.id, u.email from password_tokens t join users u on u.id = t.user_id
    where ${fresh} and u.account and u.deactivated_at is null`)
  const [user] = found.rows
  if (!user) throw invalid({ token: say.linkOver })
  const fault = passwordFault(given.password, user.email)
  if (fault) {
    // The link was right and only the new password is refused, so it is no failed attempt.
    await succeed()
    throw invalid({ password: fault })
  }
  const password_hash = await hashPassword(given.password, settings.passwordCost)
  await transaction(db, async (tx) => {
    // Two who use one link at once: the first locks the account, the second finds the token used.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('update')
    const used = await tx.execute(sql`
      update password_tokens set used_at = now() where ${fresh}
        and exists (select from users u where u.id = password_tokens.user_id and u.account and u.deactivated_at is null) returning id`)
    if (!used.rows.length) throw invalid({ token: say.linkOver })
    await storePassword(tx, user.id, password_hash)
    await audit(tx, { ...author, id: user.id }, 'password set', 'user', user.id)
  })
  await succeed()
}

/** Changes one's own password; every session ends, and the browser that asked gets a new one. */
export async function changePassword({ db, settings }: Context, actor: Actor, given: PasswordChange) {
  const present = await knowsPassword({ db, settings }, actor, given.current_password)
  const fault = passwordFault(given.password, actor.email)
  if (fault) throw invalid({ password: fault })
  const password_hash = await hashPassword(given.password, settings.passwordCost)
  return transaction(db, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, actor.id)).for('update')
    if (user?.password_hash !== present || user.deactivated_at) throw conflict()
    await storePassword(tx, actor.id, password_hash)
    await audit(tx, actor, 'password changed', 'user', actor.id)
    return startSession(tx, actor.id, actor)
  })
}

/** 422 unless this is the person's password. Rate limited, because somebody may sit at another's open browser. Returns its hash. */
export async function knowsPassword(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  actor: Actor,
  given: string,
): Promise<string> {
  const succeed = await takeAttempt(db, 'sign-in', `again ${actor.id}`, actor.ip ?? '')
  const [user] = await db
    .select({ password_hash: users.password_hash })
    .from(users)
    .where(eq(users.id, actor.id))
  if (!user?.password_hash || !(await fitsPassword(user.password_hash, given, settings.passwordCost)))
    throw invalid({ current_password: say.passwordWrong })
  await succeed()
  return user.password_hash
}

async function storePassword(tx: Tx, userId: number, password_hash: string) {
  await tx.update(users).set({ password_hash, updated_at: sql`now()` }).where(eq(users.id, userId))
  await dropLinks(tx, userId)
  await endSessions(tx, { user_id: userId })
}
