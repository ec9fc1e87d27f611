import { expect } from 'vitest'
import type { Portal } from '../../portal.ts'

/** The kept totals of months are the sums over the payments and the reports. One statement, so that workers may go on. */
export async function expectMonthsKept({ owner }: Pick<Portal, 'owner'>): Promise<void> {
  const { rows } = await owner.query(`
    with kept as (
      select month, 'paid' as what, sum(payments) as n, sum(amount) as of from payment_totals group by 1
      union all
      select month, who, sum(present), sum(enrolled) from attendance_by_month group by 1, 2
    ), counted as (
      select date_trunc('month', a.settled_at at time zone 'utc')::date as month, 'paid' as what, count(*)::numeric as n,
        sum(p.amount) as of
      from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
      where p.status = 'success' and a.state = 'success' group by 1
      union all
      select date_trunc('month', date)::date, who, sum(present), sum(enrolled) from attendance where not withdrawn and not superseded group by 1, 2
    )
    select month::text, what, k.n as kept, k.of as kept_of, c.n as counted, c.of as counted_of
    from kept k full join counted c using (month, what)
    where coalesce(k.n, 0) <> coalesce(c.n, 0) or coalesce(k.of, 0) <> coalesce(c.of, 0)`)
  expect(rows).toEqual([])
}
