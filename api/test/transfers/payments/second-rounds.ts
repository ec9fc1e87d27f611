import { expect } from 'vitest'
import type { Order, startHolds } from './holds.ts'

/** Steps of tests in which only a lost database had the second round of a cohort. */
export function secondRounds(stage: Awaited<ReturnType<typeof startHolds>>) {
  const { approver, asked, moveMark, newRound, payElsewhere, pool, portal, settled, work } = stage

  const release = async () => {
    const answer = await approver.post('/admin/transfers/sending-hold/release')
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
  }
  const restored = () => moveMark((mark) => ({ counter: mark.counter + 50 }))
  /** A cohort with a missed second round that this database has not made. */
  async function withSecondRound(size: number, atBank = false): Promise<{ cohort: number; orders: Order[] }> {
    const { cohort, round } = await newRound(size, undefined, atBank)
    await work()
    await settled(round)
    await stage.rest()
    await portal.owner.query(
      `insert into transfer_rounds (cohort_id, n, due_on, state)
       values ($1, 2, (now() at time zone 'utc')::date, 'missed')`,
      [cohort],
    )
    // References are computed from the list, so the lost database had the same ones.
    const client = await portal.owner.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<Order>(
        `with g as (insert into transfer_payroll_groups (cohort_id, n, due_on) values ($1, 2, current_date) returning id),
           p as (insert into transfer_payrolls (payroll_group_id, master_list_id, receiver_first_name, receiver_last_name,
               receiver_phone_number, receiver_account, receiver_bank, amount, fees)
             select g.id, m.id, m.receiver_first_name, m.receiver_last_name, m.receiver_phone_number, m.receiver_account, m.receiver_bank,
               m.amount, m.fees
             from g, transfer_master_list m where m.cohort_id = $1 order by m.id returning reference, receiver_phone_number)
         select reference, payment_key(reference, 1)::text as key, receiver_phone_number as phone from p`,
        [cohort],
      )
      return { cohort, orders: rows }
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  /** The same for three girls. The agency's list has the payments of two, and the hold is over. */
  async function twoOfThreeReported(atBank?: boolean) {
    const second = await withSecondRound(3, atBank)
    for (const order of second.orders.slice(0, 2)) await payElsewhere(order)
    await restored()
    await work()
    expect((await asked()).unknown_here).toBe(2)
    await release()
    return second
  }

  async function startSecond(cohort: number): Promise<number> {
    const answer = await approver.post(`/admin/transfers/cohorts/${cohort}/rounds/2/start`)
    expect(answer.status).toBe(200)
    const { rows } = await pool.query(
      'select id from transfer_payroll_groups where cohort_id = $1 and n = 2',
      [cohort],
    )
    return rows[0].id
  }

  return { release, restored, startSecond, twoOfThreeReported, withSecondRound }
}
