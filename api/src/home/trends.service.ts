import type { Trends } from '@portal/contracts/home'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'

/** Money and attendance of the last twelve months, from totals that triggers keep (decision 64). */
export async function homeTrends(db: Db): Promise<Trends> {
  const months = await rows(
    db,
    sql<Trends['months'][number]>`
      select m.month::date as month, coalesce(p.payments, 0)::bigint as payments, coalesce(p.amount, 0)::bigint as disbursed,
        round(100.0 * a.present / nullif(a.enrolled, 0), 1) as student_attendance
      from generate_series(date_trunc('month', now() at time zone 'utc') - interval '11 months',
        date_trunc('month', now() at time zone 'utc'), interval '1 month') m (month)
      left join (select month, sum(payments) as payments, sum(amount) as amount from payment_totals group by month) p
        on p.month = m.month::date
      left join (select month, sum(present) as present, sum(enrolled) as enrolled from attendance_by_month
        where who = 'learners' group by month) a on a.month = m.month::date
      order by m.month`,
  )
  return { months }
}

/** Adds up the differences of each total. Each statement is one, so that a reader sees the rows before or after it. */
export async function foldMonths(db: Db): Promise<void> {
  await sql`
    with many as (select cap_id, cohort_id, month from payment_totals group by 1, 2, 3 having count(*) > 1),
      gone as (delete from payment_totals t using many where (t.cap_id, t.cohort_id, t.month) = (many.cap_id, many.cohort_id, many.month)
        returning t.*)
    insert into payment_totals (cap_id, cohort_id, month, payments, amount)
    select cap_id, cohort_id, month, sum(payments), sum(amount) from gone group by 1, 2, 3
    having sum(payments) <> 0 or sum(amount) <> 0`.execute(db)
  await sql`
    with many as (select month, who from attendance_by_month group by month, who having count(*) > 1),
      gone as (delete from attendance_by_month where (month, who) in (select month, who from many)
        returning month, who, present, enrolled)
    insert into attendance_by_month (month, who, present, enrolled)
    select month, who, sum(present), sum(enrolled) from gone group by month, who`.execute(db)
}
