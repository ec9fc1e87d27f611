import { eq, sql } from 'drizzle-orm'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { transaction } from '../kit/db.ts'
import { type Author, endSessions, portal } from '../kit/session.ts'
import { dropLinks } from './password-links.service.ts'
import { hashPassword } from './passwords.ts'
import { roles, userRoles } from './roles.tables.ts'
import { dropTotp } from './totp.service.ts'
import { users } from './users.tables.ts'

type NewAccount = { first_name: string; last_name: string; email: string; password: string }

/**
 * Makes the account of an administrator, from the command line; a person of the registers becomes one (Access 4.1). An
 * existing account is recovered: it gets the new password, no one-time codes, and all its sessions and links end.
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
    const [user] = await tx
      .insert(users)
      .values({ first_name, last_name, email, type: 'developer', account: true, password_hash })
      .onConflictDoUpdate({
        target: users.email,
        set: {
          first_name,
          last_name,
          account: true,
          password_hash,
          deactivated_at: null,
          updated_at: sql`now()`,
        },
      })
      .returning({ id: users.id })
    const [role] = await tx.select().from(roles).where(eq(roles.administrator, true))
    if (!user || !role) throw new Error('The account of the administrator was not made')
    await tx.insert(userRoles).values({ user_id: user.id, role_id: role.id }).onConflictDoNothing()
    await endSessions(tx, { user_id: user.id })
    await dropLinks(tx, user.id)
    await dropTotp(tx, author, user.id)
    await audit(tx, author, 'created', 'user', user.id, {
      new: { first_name, last_name, email, roles: [role.name] },
    })
    return user.id
  })
}
