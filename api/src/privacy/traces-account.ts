import { sql } from 'kysely'
import { leadsToAnyCase, leadsToCase } from '../cases/case-notices.service.ts'
import type { Person } from './person.service.ts'
import { inOrder, rowsOf, type Trace, what } from './trace.ts'

const own = (table: Trace['table'], words: Trace['what'] = what.account): Trace => ({
  table,
  what: words,
  read: rowsOf((p) => sql`${sql.table(table)} t where t.user_id = ${p.user_id}`),
  erase: inOrder((p) => sql`delete from ${sql.table(table)} where user_id = ${p.user_id}`),
})

/** Her own notices, and those of colleagues that have the title of a case about her, or her name or codes. */
const noticesOf = (p: Person) => sql`select id from notifications where user_id = ${p.user_id}
  or ${leadsToCase(p.case_ids)} or portal_search(text::text) ~ ${p.mentions}`

/** What belongs to an account. */
export const accountTraces: Trace[] = [
  {
    table: 'mails',
    what: what.letters,
    read: rowsOf(
      (p) => sql`mails t where t.recipient = any(${p.addresses}::text[])`,
      sql`jsonb_build_object('body', null)`,
    ),
    erase: inOrder(
      (p) => sql`delete from mails where recipient = any(${p.addresses}::text[])
        or notification_id in (${noticesOf(p)})`,
    ),
  },
  {
    table: 'notifications',
    what: what.letters,
    // A mail has no title of a case (Messages 4.6), so its sentence is for whoever may not read the case.
    read: rowsOf(
      (p) => sql`notifications t where t.user_id = ${p.user_id}`,
      (
        p,
        { cases },
      ) => sql`case when ${cases} or not coalesce(${leadsToAnyCase}, false) or ${leadsToCase(p.case_ids)}
        then '{}'::jsonb else jsonb_build_object('text', t.mail_text) end`,
    ),
    erase: inOrder((p) => sql`delete from notifications where id in (${noticesOf(p)})`),
  },
  own('notice_digests', what.letters),
  own('notice_preferences'),
  own('first_day_steps'),
  own('first_days'),
  own('start_pages'),
  {
    ...own('saved_views'),
    async erase(tx, p) {
      const { rows } = await sql<{ id: number; name: string; query: string }>`
        select id, name, query from saved_views`.execute(tx)
      const texts = rows.map(({ name, query }) => [name, ...new URLSearchParams(query).values()].join(' | '))
      // Those of colleagues, too, that look for her by name. The database cannot read what is encoded for an address.
      await sql`delete from saved_views where user_id = ${p.user_id} or id in (
        select v.id from unnest(${rows.map(({ id }) => id)}::bigint[], ${texts}::text[]) v (id, text)
        where portal_search(v.text) ~ ${p.mentions})`.execute(tx)
    },
  },
  own('password_tokens'),
  own('recovery_codes'),
  own('recent_reads'),
  {
    table: 'drafts',
    what: what.account,
    read: rowsOf((p) => sql`drafts t join sessions s on s.id = t.session_id where s.user_id = ${p.user_id}`),
    erase: inOrder(
      (p) =>
        sql`delete from drafts where session_id in (select id from sessions where user_id = ${p.user_id})`,
    ),
  },
  own('sessions'),
  own('user_roles'),
]
