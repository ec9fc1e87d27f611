import {
  canReach,
  type NoticeKind,
  type NoticePreference,
  type NoticePreferences,
  noticeDefaults,
  noticeField,
  noticeKinds,
} from '@portal/contracts/notices'
import { sql } from 'kysely'
import { audit, difference } from '../kit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../kit/db.ts'
import type { Actor } from '../kit/session.ts'

/** Returns how notices reach a person, of the kinds that can reach them by their permissions. */
export async function readPreferences(db: Reader, actor: Actor): Promise<NoticePreferences> {
  const all = await storedPreferences(db, actor.id)
  const own = noticeKinds.filter((kind) => canReach(kind, actor.permissions))
  return Object.fromEntries(own.map((kind) => [kind, all[kind]]))
}

async function storedPreferences(db: Reader, userId: number): Promise<Record<NoticeKind, NoticePreference>> {
  const { rows } = await sql<NoticePreference & { kind: NoticeKind }>`
    select kind, bell, mail from notice_preferences where user_id = ${userId}`.execute(db)
  return { ...noticeDefaults, ...Object.fromEntries(rows.map(({ kind, ...one }) => [kind, one])) }
}

/** Changes how notices reach a person, and audits it like other changes of the profile (Messages 4.5). */
export async function savePreferences(
  db: Db,
  actor: Actor,
  wanted: NoticePreferences,
): Promise<NoticePreferences> {
  return transaction(db, async (tx) => {
    await sql`select from users where id = ${actor.id} for no key update`.execute(tx)
    const before = await storedPreferences(tx, actor.id)
    for (const kind of noticeKinds) {
      const one = wanted[kind]
      if (one) await savePreference(tx, actor.id, kind, one)
    }
    const changes = difference(audited(before), audited({ ...before, ...given(wanted) }))
    if (Object.keys(changes.new).length > 0) await audit(tx, actor, 'updated', 'user', actor.id, changes)
    return readPreferences(tx, actor)
  })
}

/** One field for each choice, as the audit log tells them. */
const audited = (preferences: Record<NoticeKind, NoticePreference>): Record<string, unknown> =>
  Object.fromEntries(
    noticeKinds.flatMap((kind) => [
      [noticeField('bell', kind), preferences[kind].bell],
      [noticeField('mail', kind), preferences[kind].mail],
    ]),
  )

const given = (wanted: NoticePreferences) =>
  Object.fromEntries(Object.entries(wanted).filter(([, one]) => one)) as Partial<
    Record<NoticeKind, NoticePreference>
  >

async function savePreference(tx: Tx, userId: number, kind: NoticeKind, { bell, mail }: NoticePreference) {
  await sql`
    insert into notice_preferences (user_id, kind, bell, mail) values (${userId}, ${kind}, ${bell}, ${mail})
    on conflict (user_id, kind) do update set bell = excluded.bell, mail = excluded.mail`.execute(tx)
  // Lines that wait for the day's mail are dropped too: no mail of this kind comes after it was switched off.
  if (mail === 'off')
    await sql`
      update notifications set mail = 'off'
      where user_id = ${userId} and kind = ${kind} and mail = 'digest' and digest_id is null`.execute(tx)
}
