import type { ImportKind, ImportState } from '@portal/contracts/imports'
import type { Text } from '@portal/contracts/sentences'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from '../access/users.tables.ts'
import { createdAt, id, instant, ref } from '../kit/columns.ts'
import { files } from '../kit/files.tables.ts'

const counter = (name: string) => integer(name).notNull().default(0)

/** An Excel file on its way in (Imports 3.1); `params` is what its kind needs besides (a cohort's form). */
export const imports = pgTable(
  'imports',
  {
    id: id(),
    kind: text('kind').$type<ImportKind>().notNull(),
    state: text('state').$type<ImportState>().notNull().default('queued'),
    /** Stops in `review` until confirmed. */
    review: boolean('review').notNull().default(false),
    file_id: ref('file_id')
      .notNull()
      .references(() => files.id),
    file_name: text('file_name').notNull(),
    file_hash: text('file_hash').notNull(),
    params: jsonb('params').$type<Record<string, unknown>>().notNull().default({}),
    rows_read: counter('rows_read'),
    rows_new: counter('rows_new'),
    rows_changed: counter('rows_changed'),
    rows_unchanged: counter('rows_unchanged'),
    rows_duplicate: counter('rows_duplicate'),
    rows_rejected: counter('rows_rejected'),
    /** Why the whole import failed. */
    problem: jsonb('problem').$type<Text>(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    /** Who confirmed its review. */
    confirmed_by: ref('confirmed_by').references(() => users.id),
    /** Who works on it: a worker whose fence is behind may not write (Imports 3.5). */
    fence: integer('fence').notNull().default(0),
    created_at: createdAt(),
    finished_at: instant('finished_at'),
  },
  (t) => [
    index('imports_kind_index').on(t.kind, t.id),
    index('imports_user_id_index').on(t.user_id),
    check(
      'imports_kind_check',
      sql`${t.kind} in ('locations', 'schools', 'partners', 'teachers', 'students', 'parents', 'target-list', 'attendance')`,
    ),
    check(
      'imports_state_check',
      sql`${t.state} in ('queued', 'reading', 'review', 'importing', 'imported', 'failed', 'cancelled')`,
    ),
    check(
      'imports_counts_check',
      sql`least(${t.rows_read}, ${t.rows_new}, ${t.rows_changed}, ${t.rows_unchanged}, ${t.rows_duplicate}, ${t.rows_rejected}) >= 0`,
    ),
  ],
)

/** The rows of a file that are told apart: piles of the review, and what the file to correct is made from. */
export const importRows = pgTable(
  'import_rows',
  {
    import_id: ref('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** As the spreadsheet numbers it. */
    row: integer('row').notNull(),
    kind: text('kind').$type<'new' | 'changed' | 'unchanged' | 'duplicate' | 'rejected'>().notNull(),
    /** The cells as they stood in the file, by column. */
    cells: jsonb('cells').$type<Record<string, string | null>>().notNull(),
    /** Its natural key as it is compared; null where the row has none. */
    key: text('key'),
    /** The row of the register that it changes. */
    subject_id: ref('subject_id'),
    /** What is written when the import is confirmed. */
    entry: jsonb('entry').$type<Record<string, unknown>>(),
    /** Of a duplicate: the row of the file that it repeats. */
    same_as: integer('same_as'),
  },
  (t) => [
    primaryKey({ name: 'import_rows_pkey', columns: [t.import_id, t.row] }),
    index('import_rows_kind_index').on(t.import_id, t.kind, t.row),
    check(
      'import_rows_kind_check',
      sql`${t.kind} in ('new', 'changed', 'unchanged', 'duplicate', 'rejected')`,
    ),
  ],
)

/** One refused cell; `message` is a key of the contracts' sentences with its parts. */
export const importErrors = pgTable(
  'import_errors',
  {
    id: id(),
    import_id: ref('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    row: integer('row').notNull(),
    column: text('column').notNull(),
    value: text('value'),
    message: text('message').notNull(),
  },
  (t) => [index('import_errors_row_index').on(t.import_id, t.row, t.id)],
)

/** What an import changed, cell by cell; the audit log has one row for the whole import (Access 6.5). */
export const importChanges = pgTable(
  'import_changes',
  {
    id: id(),
    import_id: ref('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    row: integer('row').notNull(),
    subject_id: ref('subject_id').notNull(),
    column: text('column').notNull(),
    old_value: text('old_value'),
    new_value: text('new_value'),
  },
  (t) => [index('import_changes_import_id_index').on(t.import_id, t.row)],
)

/** A cell put right in the review, and by whom: whoever corrects a target list does not decide on it (Money 6.1). */
export const importCorrections = pgTable(
  'import_corrections',
  {
    id: id(),
    import_id: ref('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    row: integer('row').notNull(),
    column: text('column').notNull(),
    old_value: text('old_value'),
    new_value: text('new_value'),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    created_at: createdAt(),
  },
  (t) => [index('import_corrections_import_id_index').on(t.import_id, t.row)],
)
