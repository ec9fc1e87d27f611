import { type SQL, sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../access/users.tables.ts'
import { createdAt, id, instant, ref, searchText, version } from '../kit/columns.ts'

/** How modules fare in browsers: a row for each load and each failure, kept for 30 days. */
export const moduleReports = pgTable(
  'module_reports',
  {
    id: id(),
    kind: text('kind').notNull(),
    module: text('module').notNull(),
    version: text('version').notNull(),
    build: text('build').notNull(),
    /** From the click to the page, of a load. */
    ms: integer('ms'),
    /** Over the wire, of a load; zero from the browser's cache. */
    bytes: integer('bytes'),
    reason: text('reason'),
    /** What the person was told to quote. */
    reference: text('reference'),
    message: text('message'),
    path: text('path'),
    search: searchText('search').generatedAlwaysAs(
      (): SQL =>
        sql`portal_search(coalesce(reference, '') || ' ' || coalesce(reason, '') || ' ' || coalesce(message, '') || ' ' || coalesce(path, '') || ' ' || version)`,
    ),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    created_at: createdAt(),
  },
  (t) => [
    check('module_reports_kind_check', sql`${t.kind} in ('load', 'error')`),
    index('module_reports_created_at_index').on(t.created_at),
    index('module_reports_loads_index').on(t.module, t.created_at).where(sql`kind = 'load'`),
    index('module_reports_errors_index').on(t.module, t.id).where(sql`kind = 'error'`),
    uniqueIndex('module_reports_reference_key').on(t.reference),
    index('module_reports_user_id_index').on(t.user_id, t.created_at),
  ],
)

/** What a module without a server of its own keeps in the portal; `words` is what a search looks through. */
export const moduleRecords = pgTable(
  'module_records',
  {
    id: id(),
    module: text('module').notNull(),
    collection: text('collection').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    words: text('words').notNull(),
    search: searchText('search').generatedAlwaysAs((): SQL => sql`portal_search(words)`),
    version: version(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    created_at: createdAt(),
    updated_at: instant('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    index('module_records_place_index').on(t.module, t.collection, t.id),
    index('module_records_updated_at_index').on(t.module, t.collection, t.updated_at, t.id),
    index('module_records_search_index').using('gin', t.search.op('gin_trgm_ops')),
  ],
)
