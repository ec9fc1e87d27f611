import { sql } from 'drizzle-orm'
import { bigint, check, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id, instant, ref } from './columns.ts'

/** Exports asked for: written by the worker, fetched by whoever asked, gone after 24 hours. */
export const fileExports = pgTable(
  'exports',
  {
    id: id(),
    user_id: ref('user_id').notNull(),
    kind: text('kind').notNull(),
    params: jsonb('params').notNull(),
    locale: text('locale').notNull().default('en'),
    file_name: text('file_name').notNull().unique('exports_file_name_key'),
    state: text('state').notNull().default('queued'),
    rows_done: bigint('rows_done', { mode: 'number' }).notNull().default(0),
    rows_total: bigint('rows_total', { mode: 'number' }).notNull().default(0),
    file_key: text('file_key'),
    created_at: createdAt(),
    expires_at: instant('expires_at').notNull().default(sql`now() + interval '24 hours'`),
  },
  (t) => [
    index('exports_user_id_index').on(t.user_id),
    index('exports_expires_at_index').on(t.expires_at),
    check('exports_state_check', sql`${t.state} in ('queued', 'writing', 'ready', 'failed')`),
  ],
)
