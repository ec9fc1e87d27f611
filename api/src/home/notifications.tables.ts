import type { Text } from '@portal/contracts/sentences'
import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from '../access/users.tables.ts'
import { bytea, createdAt, id, instant, ref } from '../kit/columns.ts'

/** What the portal tells a person, in both languages; `link` is a path of the portal. */
export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    text: jsonb('text').$type<Text>().notNull(),
    link: text('link'),
    created_at: createdAt(),
    read_at: instant('read_at'),
  },
  (t) => [
    index('notifications_user_id_index').on(t.user_id, t.id),
    index('notifications_unread_index').on(t.user_id).where(sql`read_at is null`),
  ],
)

/** Mail on its way out. The body may hold a link that lets one in: sealed, and gone once sent. */
export const mails = pgTable(
  'mails',
  {
    id: id(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    body: bytea('body'),
    state: text('state').$type<'queued' | 'sent' | 'failed'>().notNull().default('queued'),
    error: text('error'),
    created_at: createdAt(),
    sent_at: instant('sent_at'),
  },
  (t) => [check('mails_state_check', sql`${t.state} in ('queued', 'sent', 'failed')`)],
)
