import { expect, test } from 'vitest'
import { bothAtOnce } from '../../at-once.ts'
import { addList } from '../../people.ts'
import { startHolds } from './holds.ts'
import { roundsPerhapsPaid } from './perhaps-paid.ts'

const stage = await startHolds()
const { portal, officer } = stage
const { owner } = portal
const steps = roundsPerhapsPaid(stage)
const colleague = await portal.signedInAs('Transfer Approver')

/** A list that waits for its approval, with one round that is due in the year after the next one. */
async function listOfLaterYear(name: string): Promise<number> {
  const id = await portal.db.transaction().execute((tx) => addList(tx, officer, 2, name))
  const days = `("from", "to") = (select day, day from (select make_date(extract(year from now())::int + 2, 3, 1)) d (day))`
  await owner.query(`update transfer_cohorts set ${days} where id = $1`, [id])
  return id
}

test('an approver is not refused a list for the budget of another year at the moment at which a colleague records a round as paid', async () => {
  const cohort = await steps.perhapsPaidSecond(2)
  const { rows } = await owner.query('select id from users order by id limit 2')
  await owner.query(
    `insert into parameter_budgets (parameter_id, year, amount, reason, state, user_id, decided_by, decided_at)
     select transfer_parameter_id, extract(year from now() at time zone 'utc'), 1, 'Voted by the ministry', 'confirmed', $2, $3, now()
     from transfer_cohorts where id = $1`,
    [cohort, rows[0].id, rows[1].id],
  )
  const list = await listOfLaterYear('Of a later year')
  const [approved, recorded] = await bothAtOnce(
    portal,
    colleague.user.id,
    () => colleague.post(`/admin/transfers/cohorts/${list}/approve`, { action: 'approved' }),
    () => steps.startSecond(cohort, true),
  )
  expect([recorded.status, recorded.body.errors]).toEqual([200, undefined])
  expect([approved.status, approved.body.message]).toEqual([200, expect.any(String)])
})
