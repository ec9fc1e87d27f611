import { afterAll, expect, test } from 'vitest'
import { transaction } from '../../../src/kit/database/db.ts'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { raiseHold } from '../../../src/transfers/sending-hold/sending-hold.service.ts'
import { bothAtOnce } from '../../at-once.ts'
import { dayFromNow } from '../../cohorts.ts'
import { untilLocked } from '../../locks.ts'
import { startAgency } from '../agencies/agency.ts'
import { copyAgency } from '../agencies/copied.ts'
import { startRetries } from '../payments/retries.ts'

const second = await startAgency()
afterAll(() => second.close())
const stage = await startRetries({ agencyHosts: [second.host] })
const { portal, officer, approver, imported, approve, ending, settled } = stage
const { owner } = portal
const colleague = await portal.signedInAs('Transfer Approver')
const agencies = [
  await copyAgency(portal, 'Second', { endpoint: second.url }),
  await copyAgency(portal, 'Third', { endpoint: second.url }),
] as const

const cohorts = '/admin/transfers/cohorts'
const closedAlready = { status: 409, body: { message: expect.stringContaining('closed') } }
/** A cohort of which the second round is paid, and the first one was missed. */
async function missedFirst(name: string) {
  const id = await imported(name, ending(10), { from: dayFromNow(-40), to: dayFromNow(20) })
  expect((await approve(id)).status).toBe(200)
  await settled(id)
  return id
}
const close = (id: number) => approver.post(`${cohorts}/${id}/close`, { reason: 'The year has ended' })
const stop = (id: number) => colleague.post(`${cohorts}/${id}/stop`)
const start = (id: number) => colleague.post(`${cohorts}/${id}/rounds/1/start`)
const eventsOf = async (id: number) =>
  (
    await owner.query(
      `select event from audits where auditable_type = 'cohort' and auditable_id = $1 order by id`,
      [id],
    )
  ).rows.map(({ event }) => event)

test('an approver reads that a cohort is closed that was closed at the moment at which she stops it', async () => {
  const id = await missedFirst('Stopped and closed')
  const [closed, stopped] = await bothAtOnce(
    portal,
    approver.user.id,
    () => close(id),
    () => stop(id),
  )
  expect(closed.status).toBe(200)
  expect(stopped).toMatchObject(closedAlready)
  expect(await eventsOf(id)).toEqual(['uploaded', 'imported', 'approved', 'cohort closed'])
})

test('an approver reads that a cohort is closed that was closed at the moment at which she starts its missed round', async () => {
  const id = await missedFirst('Started and closed')
  const [closed, started] = await bothAtOnce(
    portal,
    approver.user.id,
    () => close(id),
    () => start(id),
  )
  expect(closed.status).toBe(200)
  expect(started).toMatchObject(closedAlready)
})

/** A cohort that waits to be moved to the second agency. */
async function toMove(name: string) {
  const id = await missedFirst(name)
  const propose = (transfer_agency_id: number) =>
    officer.post(`${cohorts}/${id}/move`, { transfer_agency_id, reason: 'The contract has ended' })
  expect((await propose(agencies[0])).status).toBe(200)
  const { proposal } = (await approver.get(`${cohorts}/${id}/move`)).body
  const move = () =>
    approver.post(`/admin/transfers/cohort-moves/${proposal.id}/decide`, { action: 'approved' })
  return { id, propose, move }
}

test('an approver stops a cohort at the moment at which it is moved to another agency', async () => {
  const { id, move } = await toMove('Stopped and moved')
  const [moved, stopped] = await bothAtOnce(portal, approver.user.id, move, () => stop(id))
  expect([moved.status, stopped.status]).toEqual([200, 200])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('the log names the agency from which a list is to be moved if it was moved there at that moment', async () => {
  const { id, move, propose } = await toMove('Moved twice')
  const [moved, proposed] = await bothAtOnce(portal, approver.user.id, move, () => propose(agencies[1]))
  expect([moved.status, proposed.status]).toEqual([200, 200])
  const { rows } = await owner.query(
    `select v.old_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'move proposed' and a.auditable_id = $1 order by a.id desc limit 1`,
    [id],
  )
  expect(rows).toEqual([{ old_values: { transfer_agency_id: agencies[0] } }])
})

test('a first limit of an approver counts from her next approval on, if she approves at the moment at which it is set', async () => {
  const id = await imported('Limited at once', ending(11))
  const admin = await portal.signedInAs('Administrator')
  const [approved, limited] = await bothAtOnce(
    portal,
    // The approval waits for it after the limit was read.
    "select pg_advisory_xact_lock(hashtext('rounds of a hold'))",
    () => colleague.post(`${cohorts}/${id}/approve`, { action: 'approved' }),
    () => admin.post(`/admin/users/${colleague.user.id}/approval-limit`, { amount: 1 }),
  )
  expect([approved.status, limited.status]).toEqual([200, 200])
  const next = await imported('Limited', ending(11))
  expect((await colleague.post(`${cohorts}/${next}/approve`, { action: 'approved' })).status).toBe(403)
})

test('an approver reads that something was changed if sending is held at the moment at which she approves', async () => {
  const id = await imported('Held at once', ending(11))
  const { asked } = await transaction(portal.db, async (tx) => {
    await raiseHold(tx, portal.settings, ['clock'], new Date())
    const asked = approve(id)
    await untilLocked(portal.owner, { lock: 'advisory' })
    // Not in the answer itself, which comes only after the hold.
    return { asked }
  })
  const answer = await asked
  await owner.query('update sending_holds set released_at = now(), released_by = $1', [approver.user.id])
  expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('in the meantime') } })
})
