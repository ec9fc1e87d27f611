import { type RawBuilder, sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'

/** SQL: the person filed or reviews case `c`, and reads it without `cases.view` (Cases 2.1). */
export const isOwnCase = (userId: number): RawBuilder<unknown> => sql`${userId} in (c.user_id, c.assigned_id)`

/** Which of these cases and consultations a person without `cases.view` may read, as `case 12` and `referral 3`. */
export async function ownCases(
  db: Db,
  userId: number,
  wanted: { cases: readonly number[]; referrals: readonly number[] },
): Promise<ReadonlySet<string>> {
  const found = await rows(
    db,
    sql<{ subject: string }>`
      select 'case ' || c.id as subject from cases c where c.id = any(${wanted.cases}::bigint[]) and ${isOwnCase(userId)}
      union all
      select 'referral ' || r.id from referrals r join cases c on c.id = r.case_id
      where r.id = any(${wanted.referrals}::bigint[]) and ${isOwnCase(userId)}`,
  )
  return new Set(found.map(({ subject }) => subject))
}
