import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../kit/columns.ts'

/** One row, written with the first content: what this database was filled as, once and for all (Registers 5.3). */
export const installation = pgTable(
  'installation',
  {
    /** True in the only row there can be. */
    only: boolean('only').primaryKey().default(true),
    filled_as: text('filled_as').$type<'demo' | 'empty'>().notNull(),
    size: text('size').$type<'full' | 'small'>(),
    /** When the demo's past payments stood in the sandbox agency's ledger. */
    ledger_at: instant('ledger_at'),
    created_at: instant('created_at').notNull().default(sql`now()`),
  },
  (t) => [
    check('installation_only_check', sql`${t.only}`),
    check('installation_filled_as_check', sql`${t.filled_as} in ('demo', 'empty')`),
    check('installation_size_check', sql`(${t.filled_as} = 'demo') = (${t.size} is not null)`),
  ],
)
