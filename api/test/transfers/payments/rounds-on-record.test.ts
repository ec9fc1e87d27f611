import { expect, test } from 'vitest'
import { missOldRounds } from '../../../src/transfers/rounds/rounds.service.ts'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'

const stage = await startStage(10)
const { portal, imported, approve, cohort, progress } = stage
await portal.worker()

/** Makes round `n` of a cohort due some days ago. */
const due = (id: number, n: number, daysAgo: number) =>
  portal.owner.query(
    `update transfer_rounds set due_on = (now() at time zone 'utc')::date - $3::int where cohort_id = $1 and n = $2`,
    [id, n, daysAgo],
  )
const settled = (id: number, n: number) =>
  progress(id, ({ round }) => round?.n === n && round.success === round.total)
const plan = async (id: number) =>
  (await cohort(id)).rounds.map(({ n, state }: { n: number; state: string }) => `${n} ${state}`)

test('an auditor finds in the log which round the portal started by itself and which one it missed', async () => {
  const id = await imported('On record', [recipient(1)], { to: dayFromNow(90) })
  await approve(id)
  await settled(id, 1)
  await due(id, 2, 0)
  await settled(id, 2)
  await due(id, 3, 3)
  await missOldRounds(portal.db)
  const { rows } = await portal.owner.query(
    `select a.event, a.user_id, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.auditable_type = 'cohort' and a.auditable_id = $1 and a.event like 'round %' order by a.id`,
    [id],
  )
  expect(rows).toEqual([
    { event: 'round started', user_id: null, new_values: { round: 2 } },
    { event: 'round missed', user_id: null, new_values: { round: 3 } },
  ])
})

test('nobody is paid automatically for a round whose day passed while the cohort was in a payment error', async () => {
  const id = await imported('In error', [recipient(2)], { to: dayFromNow(59) })
  await approve(id)
  await settled(id, 1)
  await portal.owner.query(
    "update transfer_cohorts set status = 'error', error_reason = 'funds' where id = $1",
    [id],
  )
  await due(id, 2, 1)
  expect((await approve(id)).status).toBe(200)
  expect(await plan(id)).toEqual(['1 made', '2 missed'])
})
