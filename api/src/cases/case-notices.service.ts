import { type RawBuilder, sql } from 'kysely'
import { casePage } from './pages.ts'

/** SQL: whether a notice leads to one of these cases. It has the title of the case, which may name a girl. */
export const leadsToCase = (caseIds: readonly number[]): RawBuilder<boolean> =>
  sql`link = any(${caseIds.map(casePage)}::text[])`

/** SQL: whether a notice leads to any case. */
export const leadsToAnyCase: RawBuilder<boolean> = sql`link like '/admin/cases/%'`
