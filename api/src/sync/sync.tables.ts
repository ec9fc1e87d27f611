import type { Text } from '@portal/contracts/sentences'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from '../access/users.tables.ts'
import { bytea, createdAt, id, instant, ref } from '../kit/columns.ts'
import { schools } from '../registers/schools.tables.ts'

/** Bearer tokens of devices and gateways, stored hashed. */
export const syncTokens = pgTable(
  'sync_tokens',
  {
    id: id(),
    name: text('name').notNull(),
    token_hash: bytea('token_hash').notNull(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    created_at: createdAt(),
    last_used_at: instant('last_used_at'),
    revoked_at: instant('revoked_at'),
  },
  (t) => [uniqueIndex('sync_tokens_token_hash_key').on(t.token_hash)],
)

/** Messages of devices, each once by its own id (Messages 1.2); what is processed leaves the log, not the table. */
export const syncedMessages = pgTable(
  'synced_messages',
  {
    id: id(),
    message_id: text('message_id').notNull(),
    sync_token_id: ref('sync_token_id').references(() => syncTokens.id),
    entity_type: text('entity_type').notNull(),
    action: text('action').notNull(),
    /** As it was sent, in its own order. */
    data: json('data').notNull(),
    /** The device's time, or ours when it was more than 10 minutes ahead. */
    created_at: createdAt(),
    received_at: instant('received_at').notNull().default(sql`now()`),
    processed_at: instant('processed_at'),
    /** Why it could not be processed; it waits for somebody to try again. */
    error: jsonb('error').$type<Text>(),
  },
  (t) => [
    uniqueIndex('synced_messages_message_id_key').on(t.message_id),
    index('synced_messages_open_index').on(t.id).where(sql`processed_at is null`),
    index('synced_messages_waiting_index').on(t.id).where(sql`processed_at is null and error is null`),
  ],
)

/**
 * Attendance as reported: learners once per school, date and class, teachers once per school and date. What was withdrawn
 * keeps its row, so that a report older than its withdrawal does not bring it back.
 */
export const attendance = pgTable(
  'attendance',
  {
    id: id(),
    school_id: ref('school_id')
      .notNull()
      .references(() => schools.id),
    date: date('date', { mode: 'string' }).notNull(),
    who: text('who').$type<'learners' | 'teachers'>().notNull(),
    /** The class of learners; empty for teachers. */
    class: text('class').notNull().default(''),
    enrolled: integer('enrolled').notNull(),
    present: integer('present').notNull(),
    reported_at: instant('reported_at').notNull(),
    message_id: ref('message_id').references(() => syncedMessages.id),
    /** The message's own id: decides between two of the same moment, whichever came first. */
    message_key: text('message_key').notNull().default(''),
    withdrawn: boolean('withdrawn').notNull().default(false),
  },
  (t) => [
    uniqueIndex('attendance_key').on(t.school_id, t.date, t.who, t.class),
    index('attendance_date_index')
      .on(t.date, t.school_id, t.who, t.enrolled, t.present, t.message_id)
      .where(sql`not withdrawn`),
    check('attendance_who_check', sql`${t.who} in ('learners', 'teachers')`),
    check('attendance_class_check', sql`(${t.who} = 'teachers') = (${t.class} = '')`),
    check('attendance_present_check', sql`${t.present} between 0 and ${t.enrolled}`),
  ],
)
