import type { HomeStatistics } from '@portal/contracts/home'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'
import type { Actor } from '../kit/http/session.ts'
import { transferStatistics } from '../transfers/payrolls/payrolls.service.ts'

/** The figures of the home page: cached totals, and the money of all rounds so far. */
export async function homeStatistics(db: Db, actor: Actor): Promise<HomeStatistics> {
  const [[registers], money] = await Promise.all([
    rows(
      db,
      sql<{ totals: Record<string, number>; caps: { id: number; name: string; schools: number }[] }>`
      select
        (select coalesce(jsonb_object_agg(name, total), '{}') from (
          select name, sum(rows) as total from list_totals where name in ('schools', 'students', 'parents') group by name) t) as totals,
        (select coalesce(jsonb_agg(k), '[]') from (
          select c.id, case when count(*) over (partition by c.name) > 1 then c.name || ' (' || a.name || ')' else c.name end as name, s.schools
          from (select cap_id, count(*) as schools from schools group by cap_id) s
            join caps c on c.id = s.cap_id join academies a on a.id = c.academy_id) k) as caps`,
    ),
    transferStatistics(db),
  ])
  const total = (name: string) => registers?.totals[name] ?? 0
  const disbursed = new Map(money.by_cap.map((row) => [row.cap_id, row.total_disbursed]))
  const byCap = (registers?.caps ?? []).map(({ id, name, schools }) => ({
    id,
    admin_district_as_cap: name,
    schools,
    total_disbursed: disbursed.get(id) ?? 0,
  }))
  const byName = new Intl.Collator('fr')
  return {
    loggedInUser: { id: actor.id, first_name: actor.first_name, last_name: actor.last_name },
    totalSchools: total('schools'),
    totalStudents: total('students'),
    totalParents: total('parents'),
    totalMonths: money.rounds,
    totalDisbursed: money.disbursed,
    totalBeneficiaries: money.transfers,
    disbursementByCap: byCap.sort(
      (a, b) =>
        b.total_disbursed - a.total_disbursed ||
        byName.compare(a.admin_district_as_cap, b.admin_district_as_cap),
    ),
  }
}
