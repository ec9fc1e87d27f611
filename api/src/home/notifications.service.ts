import type { PageQuery } from '@portal/contracts/fields'
import type { Permission } from '@portal/contracts/permissions'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, rows, type Tx, transaction } from '../kit/database/db.ts'
import { paged } from '../kit/database/paging.ts'
import { notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { resolveLinks } from '../modules/module-links.service.ts'

/** What fills a sentence: the same in both languages, or a text with both. */
export type Part = string | number | Text

/**
 * Notifies people with an active account in both languages. `parts` fill `{0}`, `{1}`… and may be texts. `link` is a path of the portal, or
 * the result of `aboutKind`.
 */
export async function notify(
  tx: Tx,
  userIds: readonly number[],
  text: Text,
  parts: Part[],
  link: string | null,
) {
  if (!userIds.length) return
  const whole = inBothLanguages(text, parts)
  await sql`
    insert into notifications (user_id, text, link) select u.id, ${whole}::jsonb, ${link} from users u
    where u.id = any(${userIds}::bigint[]) and u.account and u.deactivated_at is null order by u.id`.execute(
    tx,
  )
}

/**
 * SQL: the ids of the people with a permission. A role that requires one-time codes counts only for people who have set
 * them up.
 */
export const holdersOf = (permission: Permission) => holders(sql`p.name = ${permission}`)

/** SQL: the ids of the active accounts that hold both permissions. */
export const holdersOfBoth = (one: Permission, other: Permission) => sql`
  select a.id from users a where a.account and a.deactivated_at is null
    and a.id in (${holdersOf(one)}) and a.id in (${holdersOf(other)})`

/** What a notice is about: an id, or SQL for one. */
export type Subject = number | RawBuilder<number>

/** SQL: the ids of the people with a permission, by its id, for permissions that modules bring along. */
export const holdersById = (permission: Subject) => holders(sql`p.id = ${permission}::bigint`)

/** SQL: the ids of the people with a permission that this module brought along. */
export const holdersOfModule = (module: string, permission: string) =>
  holders(sql`p.name = ${permission} and p.module = ${module} and p.dropped_at is null`)

const holders = (which: RawBuilder<unknown>) => sql`
  select h.id from users h join user_roles ur on ur.user_id = h.id join roles r on r.id = ur.role_id
    join role_permissions rp on rp.role_id = r.id join permissions p on p.id = rp.permission_id
  where ${which} and (not r.requires_totp or h.totp_confirmed_at is not null)`

/** The whole sentence in both languages, as it is stored. */
export const inBothLanguages = (text: Text, parts: Part[]): string =>
  JSON.stringify({ en: inLanguage(text, 'en', parts), fr: inLanguage(text, 'fr', parts) })

function inLanguage(text: Text, locale: Locale, parts: Part[]) {
  return fill(text, locale, ...parts.map((part) => (typeof part === 'object' ? part[locale] : part)))
}

type Row = { id: number; text: Text; link: string | null; created_at: string; read_at: string | null }

/** A person's own notifications, newest first, with the number of unread ones. */
export async function listNotifications(
  context: Pick<Context, 'db' | 'registry' | 'log'>,
  actor: Actor,
  query: PageQuery,
  locale: Locale,
) {
  const { db } = context
  const [list, [unread]] = await Promise.all([
    paged<Row>(db, query, {
      columns: sql`n.id, n.text, n.link, n.created_at, n.read_at`,
      from: sql`notifications n`,
      where: [sql`n.user_id = ${actor.id} and n.bell`],
      sort: {},
      order: null,
      key: sql`-n.id`,
    }),
    rows(
      db,
      sql<{
        n: number
      }>`select count(*) as n from notifications where user_id = ${actor.id} and read_at is null and bell`,
    ),
  ])
  const links = await resolveLinks(
    context,
    list.data.map(({ link }) => link),
  )
  const data = list.data.map((row, at) => ({ ...row, text: row.text[locale], link: links[at] ?? null }))
  return { notifications: { ...list, data }, unread: unread?.n ?? 0 }
}

/** Marks one of a person's own notifications as read or unread. */
export function markNotification(db: Db, actor: Actor, id: number, read: boolean): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows: own } = await sql<{ read: boolean }>`
      select read_at is not null as read from notifications where id = ${id} and user_id = ${actor.id} for update`.execute(
      tx,
    )
    if (!own[0]) throw notFound()
    if (own[0].read === read) return
    await sql`update notifications set read_at = ${read ? sql`now()` : null} where id = ${id}`.execute(tx)
    if (read) await audit(tx, actor, 'marked as read', 'notification', id)
    else await audit(tx, actor, 'marked as unread', 'notification', id)
  })
}

/** Marks all of a person's own notifications as read. */
export function markAllNotifications(db: Db, actor: Actor): Promise<void> {
  return transaction(db, async (tx) => {
    const { numAffectedRows } = await sql`
      update notifications set read_at = now() where user_id = ${actor.id} and read_at is null`.execute(tx)
    const count = Number(numAffectedRows ?? 0)
    if (count > 0) await audit(tx, actor, 'marked as read', 'notifications', null, { new: { count } })
  })
}
