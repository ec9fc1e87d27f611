import { sql } from 'kysely'
import type { Reader } from '../kit/database/db.ts'
import { notFound } from '../kit/http/refusals.ts'

/** Returns the cohort's name. Throws 404 if the cohort does not exist or its list is not imported yet. */
export async function cohortName(db: Reader, id: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from transfer_cohorts where id = ${id} and imported_at is not null`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0].name
}

/** Cohort and number of a round. */
export async function roundName(db: Reader, id: number): Promise<{ cohort: string; n: number }> {
  const { rows } = await sql<{ cohort: string; n: number }>`
    select c.name as cohort, g.n from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id where g.id = ${id}
  `.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** A file name that every system accepts: `master-list-term-1-2026`. */
export function exportName(kind: string, name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
  return `${kind}-${plain.slice(0, 60)}`
}
