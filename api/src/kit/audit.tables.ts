import { sql } from 'drizzle-orm'
import { bigint, customType, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytea, createdAt, id, instant, ref } from './columns.ts'

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/** Who did what (Access 6.1). Append-only; `seal` is the portal's own mark, so that a row of a stranger's shows. */
export const audits = pgTable(
  'audits',
  {
    id: id(),
    created_at: createdAt(),
    user_id: ref('user_id'),
    ip_address: text('ip_address'),
    user_agent: text('user_agent'),
    request_id: text('request_id'),
    event: text('event').notNull(),
    auditable_type: text('auditable_type').notNull(),
    auditable_id: ref('auditable_id'),
    values_hash: bytea('values_hash').notNull(),
    seal: bytea('seal').notNull(),
    /** The writing transaction: whoever links the chain asks only for what may be new. */
    transaction: xid8('transaction').notNull().default(sql`pg_current_xact_id()`),
  },
  (t) => [
    index('audits_created_at_index').on(t.created_at, t.id),
    index('audits_transaction_index').on(t.transaction),
    index('audits_user_id_index').on(t.user_id),
    index('audits_event_index').on(t.event, t.id),
    index('audits_auditable_index').on(t.auditable_type, t.auditable_id),
  ],
)

/** Old and new values, in a row of their own so that an erasure leaves the chain whole. */
export const auditValues = pgTable('audit_values', {
  audit_id: ref('audit_id')
    .primaryKey()
    .references(() => audits.id),
  salt: bytea('salt').notNull(),
  old_values: jsonb('old_values'),
  new_values: jsonb('new_values'),
  erased_at: instant('erased_at'),
})

/** The hash chain over committed rows, written by the worker in commit order. */
export const auditLinks = pgTable(
  'audit_links',
  {
    position: bigint('position', { mode: 'number' }).primaryKey(),
    audit_id: ref('audit_id')
      .notNull()
      .references(() => audits.id),
    previous: bytea('previous').notNull(),
    hash: bytea('hash').notNull(),
    linked_at: createdAt(),
  },
  (t) => [
    uniqueIndex('audit_links_audit_id_key').on(t.audit_id),
    uniqueIndex('audit_links_previous_key').on(t.previous),
  ],
)

/** The chain's end, sealed: a chain cut short shows. One row. */
export const auditHead = pgTable('audit_head', {
  id: bigint('id', { mode: 'number' }).primaryKey(),
  position: bigint('position', { mode: 'number' }).notNull(),
  hash: bytea('hash').notNull(),
  seal: bytea('seal').notNull(),
})
