import type { Profile, ProfileEdit } from '@portal/contracts/profile'
import { eq, sql } from 'drizzle-orm'
import { audit, difference } from '../kit/audit.ts'
import { type Db, type Reader, transaction } from '../kit/db.ts'
import { forbidden, notFound } from '../kit/refusals.ts'
import type { Actor } from '../kit/session.ts'
import { msg } from '../messages.ts'
import { users } from './users.tables.ts'

const columns = {
  id: users.id,
  first_name: users.first_name,
  last_name: users.last_name,
  email: users.email,
  gender: users.gender,
  type: users.type,
  user_title: users.user_title,
  deactivated_at: users.deactivated_at,
}

/** A person's own record. */
export async function readProfile(db: Reader, id: number): Promise<Profile> {
  const [user] = await db.select(columns).from(users).where(eq(users.id, id))
  if (!user) throw notFound()
  return user
}

/** Changes one's own names; nobody else's (section 6). */
export async function updateProfile(db: Db, actor: Actor, id: number, names: ProfileEdit): Promise<Profile> {
  if (id !== actor.id) throw forbidden(msg.othersProfile)
  return transaction(db, async (tx) => {
    const before = await readProfile(tx, id)
    const changes = difference(before, { first_name: names.first_name, last_name: names.last_name })
    if (Object.keys(changes.new).length) {
      await tx
        .update(users)
        .set({ ...names, updated_at: sql`now()` })
        .where(eq(users.id, id))
      await audit(tx, actor, 'updated', 'user', id, changes)
    }
    return readProfile(tx, id)
  })
}
