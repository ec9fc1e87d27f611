import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../src/kit/database/db.ts'

type Plan = {
  'Relation Name'?: string
  Alias?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/**
 * How many rows a query reads of a table, which is named as in the database or as in the query. It has to look them up: over the few
 * rows of a test reading all of a table, or joining by a hash of it, is cheaper. `without` names other joins that it may not
 * choose: with 150,000 rows it joins whole tables.
 */
export async function rowsRead(
  db: Db,
  query: RawBuilder<unknown>,
  table: string,
  without = ['hashjoin', 'mergejoin'],
): Promise<number> {
  const [plan] = await db.transaction().execute(async (tx) => {
    for (const way of ['enable_seqscan', 'enable_bitmapscan', ...without.map((join) => `enable_${join}`)])
      await sql`set local ${sql.raw(way)} = off`.execute(tx)
    const { rows } = await sql<{ 'QUERY PLAN': { Plan: Plan }[] }>`
      explain (analyze, format json) ${query}`.execute(tx)
    return rows.flatMap((row) => row['QUERY PLAN'])
  })
  if (!plan) throw new Error('The query has no plan')
  return countOf(plan.Plan, table)
}

function countOf(plan: Plan, table: string): number {
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  const inner = (plan.Plans ?? []).reduce((sum, part) => sum + countOf(part, table), 0)
  return (
    inner + ([plan['Relation Name'], plan.Alias].includes(table) ? Math.round(own * plan['Actual Loops']) : 0)
  )
}
