import {
  canReach,
  moduleNoticeDefault,
  type NoticeKind,
  type NoticePreference,
  type NoticePreferences,
  noticeDefaults,
  noticeField,
  noticeKinds,
} from '@portal/contracts/notices'
import type { Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { audit, difference } from '../kit/audit/audit.ts'
import { type Reader, type Tx, transaction } from '../kit/database/db.ts'
import { invalid } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { noticingModules } from '../modules/noticing-modules.service.ts'

type Reading = Pick<Context, 'db' | 'registry' | 'log'>
/** By kind, or by the name of a module. */
type Chosen = Record<string, NoticePreference>
type Preferences = { preferences: NoticePreferences; titles: Record<string, Text> }

/** Returns how notices reach a person, of the kinds and modules that can reach them by their permissions. */
export async function readPreferences(context: Reading, actor: Actor): Promise<Preferences> {
  const titles = await noticingModules(context, actor)
  return shown(await storedPreferences(context.db, actor.id, Object.keys(titles)), actor, titles)
}

function shown(all: Chosen, actor: Actor, titles: Record<string, Text>): Preferences {
  const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, all[name]]))
  const modules = Object.keys(titles)
  const preferences = {
    ...pick(noticeKinds.filter((kind) => canReach(kind, actor.permissions))),
    ...(modules.length > 0 && { modules: pick(modules) }),
  }
  return { preferences: preferences as NoticePreferences, titles }
}

async function storedPreferences(db: Reader, userId: number, modules: readonly string[]): Promise<Chosen> {
  const { rows } = await sql<NoticePreference & { kind: string }>`
    select kind, bell, mail from notice_preferences where user_id = ${userId}`.execute(db)
  return {
    ...noticeDefaults,
    ...Object.fromEntries(modules.map((name) => [name, moduleNoticeDefault])),
    ...Object.fromEntries(rows.map(({ kind, ...one }) => [kind, one])),
  }
}

/** Changes how notices reach a person, and audits it like other changes of the profile (Messages 4.5). */
export async function savePreferences(
  context: Reading,
  actor: Actor,
  wanted: NoticePreferences,
): Promise<Preferences> {
  const titles = await noticingModules(context, actor)
  const given = asGiven(wanted)
  if (Object.keys(wanted.modules ?? {}).some((name) => !titles[name])) throw invalid({ modules: 'choose' })
  return transaction(context.db, async (tx) => {
    await sql`select from users where id = ${actor.id} for no key update`.execute(tx)
    const before = await storedPreferences(tx, actor.id, Object.keys(titles))
    for (const [kind, one] of Object.entries(given)) await savePreference(tx, actor.id, kind, one)
    const after = { ...before, ...given }
    const changes = difference(audited(before), audited(after))
    if (Object.keys(changes.new).length > 0) await audit(tx, actor, 'updated', 'user', actor.id, changes)
    return shown(after, actor, titles)
  })
}

/** One field for each choice, as the audit log tells them. */
const audited = (chosen: Chosen): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(chosen).flatMap(([kind, { bell, mail }]) => [
      [noticeField('bell', kind), bell],
      [noticeField('mail', kind), mail],
    ]),
  )

function asGiven({ modules = {}, ...kinds }: NoticePreferences): Chosen {
  const own = Object.entries(kinds).filter((entry): entry is [NoticeKind, NoticePreference] =>
    Boolean(entry[1]),
  )
  return { ...Object.fromEntries(own), ...modules }
}

async function savePreference(tx: Tx, userId: number, kind: string, { bell, mail }: NoticePreference) {
  await sql`
    insert into notice_preferences (user_id, kind, bell, mail) values (${userId}, ${kind}, ${bell}, ${mail})
    on conflict (user_id, kind) do update set bell = excluded.bell, mail = excluded.mail`.execute(tx)
  // Lines that wait for the day's mail are dropped too: no mail of this kind comes after it was switched off.
  if (mail === 'off')
    await sql`
      update notifications set mail = 'off'
      where user_id = ${userId} and kind = ${kind} and mail = 'digest' and digest_id is null`.execute(tx)
}
