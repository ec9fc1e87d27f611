import type { PasswordChange, PasswordReset } from '@portal/contracts/session'
import { sql } from 'kysely'
import { beginFirstDay } from '../home/first-day.service.ts'
import { endLetters } from '../home/mail.service.ts'
import { audit } from '../kit/audit/audit.ts'
import { type Tx, transaction } from '../kit/database/db.ts'
import { conflict, invalid, signedOut } from '../kit/http/refusals.ts'
import { type Actor, type Author, endSessions, startSession } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { sha256 } from '../kit/secrets/seal.ts'
import { letters, sendReport } from './letters.ts'
import { say } from './messages.ts'
import { dropLinks } from './password-links.service.ts'
import { fitsPassword, hashPassword, passwordFault } from './passwords.ts'
import { takeAttempt } from './rate-limiter.service.ts'

type Person = Pick<Actor, 'id' | 'first_name' | 'last_name' | 'email' | 'locale'> & { invited: boolean }

/** Sets a password with the token of an invitation or a reset letter. All sessions of the person end. */
export async function resetPassword({ db, settings }: Context, author: Author, given: PasswordReset) {
  const token = sha256(given.token)
  const succeed = await takeAttempt(db, {
    kind: 'reset',
    subject: token.toString('hex'),
    address: author.ip ?? '',
  })
  const fresh = sql`token_hash = ${token} and used_at is null and expires_at > now()`
  const found = await sql<Person>`
    select u.id, u.first_name, u.last_name, u.email, u.locale, u.password_hash is null as invited from password_tokens t join users u on u.id = t.user_id
    where ${fresh} and u.account and u.deactivated_at is null`.execute(db)
  const [user] = found.rows
  if (!user) throw invalid({ token: say.linkOver })
  const fault = await passwordFault(given.password, user)
  if (fault) {
    // The link was right and only the new password is refused, so it is no failed attempt.
    await succeed()
    throw invalid({ password: fault })
  }
  const password_hash = await hashPassword(given.password, settings.passwordCost)
  await transaction(db, async (tx) => {
    // Of two concurrent calls with one link, the first locks the account and the second finds the token used.
    await tx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute()
    const used = await sql<{ id: number }>`
      update password_tokens set used_at = now() where ${fresh}
        and exists (select from users u where u.id = password_tokens.user_id and u.account and u.deactivated_at is null) returning id
    `.execute(tx)
    if (!used.rows.length) throw invalid({ token: say.linkOver })
    // Whoever had the link from the outbox needs no letter any more.
    await endLetters(tx, 'password_token_id', used.rows)
    await storePassword(tx, user.id, password_hash)
    await audit(tx, { ...author, id: user.id }, 'password set', 'user', user.id)
    if (user.invited) await beginFirstDay(tx, user.id)
    else await sendReport(tx, settings, user.id, letters.passwordChanged)
  })
  await succeed()
}

/** Changes the actor's own password. All sessions end, and this browser gets a new one. */
export async function changePassword({ db, settings }: Context, actor: Actor, given: PasswordChange) {
  const present = await knowsPassword({ db, settings }, actor, given.current_password)
  const fault = await passwordFault(given.password, actor)
  if (fault) throw invalid({ password: fault })
  const password_hash = await hashPassword(given.password, settings.passwordCost)
  return transaction(db, async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['password_hash', 'deactivated_at'])
      .where('id', '=', actor.id)
      .forUpdate()
      .executeTakeFirst()
    if (user?.password_hash !== present || user.deactivated_at) throw conflict()
    // Somebody signed her out everywhere while the password was checked: an ended session begins no other one.
    const { rows: open } = await sql`
      select from sessions where id = ${actor.session_id} and ended_at is null`.execute(tx)
    if (open.length === 0) throw signedOut()
    await storePassword(tx, actor.id, password_hash)
    await audit(tx, actor, 'password changed', 'user', actor.id)
    await sendReport(tx, settings, actor.id, letters.passwordChanged)
    return startSession(tx, actor.id, actor)
  })
}

/**
 * Throws 422 unless `given` is the actor's password. The attempts are rate limited, because somebody else may sit at
 * the actor's open browser. Returns the stored hash.
 */
export async function knowsPassword(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  actor: Actor,
  given: string,
): Promise<string> {
  const tried = { subject: `again ${actor.id}`, address: actor.ip ?? '', known: true }
  const succeed = await takeAttempt(db, { kind: 'sign-in', ...tried })
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', actor.id)
    .executeTakeFirst()
  if (!user?.password_hash || !(await fitsPassword(user.password_hash, given, settings.passwordCost)))
    throw invalid({ current_password: say.passwordWrong })
  await succeed()
  return user.password_hash
}

async function storePassword(tx: Tx, userId: number, password_hash: string) {
  await tx
    .updateTable('users')
    .set({ password_hash, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute()
  await dropLinks(tx, userId)
  await endSessions(tx, { user_id: userId })
}
