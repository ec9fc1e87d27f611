import type { Profile } from '@portal/contracts/access/profile'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'
import { notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { readUser } from './users.service.ts'

type Own = Pick<Profile, 'locale' | 'totp' | 'recovery_codes'>

/** Returns a person's own record, with the fields that only this person may see. */
export async function readProfile(db: Db, { id, totp_required }: Actor): Promise<Profile> {
  const [user, [own]] = await Promise.all([
    readUser(db, id),
    rows(
      db,
      sql<Own>`select u.locale, u.totp_confirmed_at is not null as totp,
        (select count(*) from recovery_codes c where c.user_id = u.id and c.used_at is null) as recovery_codes
      from users u where u.id = ${id}`,
    ),
  ])
  if (!own) throw notFound()
  return { ...user, ...own, totp_required }
}
