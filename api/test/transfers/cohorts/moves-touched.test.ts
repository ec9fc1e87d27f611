import { expect, test } from 'vitest'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { copyAgency } from '../agencies/copied.ts'

const stage = await startStage(5)
const { portal, approver, imported, approve } = stage
await portal.worker()

test('a person who proposed to move a cohort cannot resume it afterwards, because somebody else must decide on it', async () => {
  const another = await copyAgency(portal, 'Another')
  const days = { from: dayFromNow(2), to: dayFromNow(29) }
  const id = await imported('Moved by her', [recipient(1)], days)
  await approve(id)
  const mover = await portal.signedIn('transfers.view', 'cohorts.create', 'cohorts.approve')
  const cohort = `/admin/transfers/cohorts/${id}`
  const wanted = { transfer_agency_id: another, reason: 'It does not answer' }
  expect((await mover.post(`${cohort}/move`, wanted)).status).toBe(200)
  const { rows: moves } = await portal.owner.query('select id::int from cohort_moves where cohort_id = $1', [
    id,
  ])
  const decided = await approver.post(`/admin/transfers/cohort-moves/${moves[0].id}/decide`, {
    action: 'approved',
  })
  expect(decided.status).toBe(200)
  expect((await approver.post(`${cohort}/stop`)).status).toBe(200)
  const resumed = await mover.post(`${cohort}/resume`)
  expect([resumed.status, resumed.body.message]).toEqual([
    403,
    'You proposed to pay this cohort through another agency, so somebody else must decide on it.',
  ])
  expect((await approver.post(`${cohort}/resume`)).status).toBe(200)
})
