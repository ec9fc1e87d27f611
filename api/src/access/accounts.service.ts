import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { transaction } from '../kit/database/db.ts'
import { type Author, endSessions, portal } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { dropLinks } from './password-links.service.ts'
import { hashPassword } from './passwords.ts'
import { dropTotp } from './totp.service.ts'

type NewAccount = { first_name: string; last_name: string; email: string; password: string }

/**
 * Makes an administrator's account from the command line (Access 4.1). A person of the registers with this e-mail gets
 * the account. An existing account is recovered: it gets the new password, its one-time codes are turned off, and its
 * sessions and links end.
 */
export async function makeAdministrator(
  { db, settings }: Context,
  account: NewAccount,
  author: Author = portal,
) {
  const { first_name, last_name } = account
  const email = account.email.toLowerCase()
  const password_hash = await hashPassword(account.password, settings.passwordCost)
  return transaction(db, async (tx) => {
    const account = { first_name, last_name, account: true, password_hash }
    const user = await tx
      .insertInto('users')
      .values({ ...account, email, type: 'developer' })
      .onConflict((conflict) =>
        conflict.column('email').doUpdateSet({ ...account, deactivated_at: null, updated_at: sql`now()` }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    const role = await tx
      .selectFrom('roles')
      .select(['id', 'name'])
      .where('administrator', '=', true)
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('user_roles')
      .values({ user_id: user.id, role_id: role.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await endSessions(tx, { user_id: user.id })
    await dropLinks(tx, user.id)
    await dropTotp(tx, settings, author, user.id)
    await audit(tx, author, 'created', 'user', user.id, {
      new: { first_name, last_name, email, roles: [role.name] },
    })
    return user.id
  })
}
