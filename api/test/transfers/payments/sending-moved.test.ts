import { expect, test } from 'vitest'
import { makeRound } from '../../../src/transfers/rounds/rounds.service.ts'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { changeAgency } from '../../cohorts.ts'
import { addList } from '../../people.ts'
import { until } from '../../portal.ts'
import { addBank } from '../banks/bank.ts'
import { holdPath as path, startHolds } from './holds.ts'
import { roundsPerhapsPaid } from './perhaps-paid.ts'

const stage = await startHolds()
const { agency, approver, moveMark, newRound, portal, readHold, received, settled, work } = stage
const { paidFirst, plannedSecond, releaseByHand, restored, secondOf, startSecond, summaryOf, unmadeSecond } =
  roundsPerhapsPaid(stage)

test('a backup from before an agency moved pays nobody at the old address until a person answered for the round', async () => {
  const { round } = await newRound(3)
  // The lost database had confirmed a change of the agency's address, and this one never heard of it.
  await moveMark((mark) => ({ counter: mark.counter + 50, changes: { ...mark.changes, 1: 1 } }))
  await work()
  const roundHeld = async () => (await readHold())?.rounds.find(({ id }: { id: number }) => id === round)
  await until(async () => (await roundHeld())?.failure === 'moved')
  const hold = await readHold()
  expect(hold.reasons).toEqual([
    'The database is older than what was sent from it: a backup was restored.',
    'An agency had moved to another address or account, and this database knows only the one before.',
  ])
  expect(await roundHeld()).toMatchObject({ entries: 3, asked: 0, failure: 'moved', confirmed: false })
  await until(async () =>
    (await readHold())?.lists.every(({ state }: { state: string }) => state !== 'reading'),
  )
  const early = await approver.post(`${path}/release`)
  expect([early.status, early.body.message]).toEqual([
    409,
    expect.stringMatching(/^Payments that were not asked about yet: \d+/),
  ])
  expect(await received(round)).toBe(0)
  for (const { id } of (await readHold()).rounds)
    expect((await approver.post(`${path}/rounds/${id}/confirm`)).status).toBe(200)
  expect((await approver.post(`${path}/release`)).status).toBe(200)
  await settled(round)
  expect(await received(round)).toBe(3)
})

test('a change of address that this database knows of is no reason to hold', async () => {
  expect((await changeAgency(portal, 1, { endpoint: `${agency.url}/` })).status).toBe(200)
  await compareMarks(portal.context)
  await compareMarks(portal.context)
  expect(await readHold()).toBeNull()
})

/** A person is refused the second round until she confirms that she has asked the agency. Then it is paid. */
async function paidOnceConfirmed(cohort: number, agencyName: string): Promise<number> {
  expect(await plannedSecond(cohort)).toMatchObject({ perhaps_paid: true })
  const refused = await startSecond(cohort)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `Sending was held after this list was uploaded, and the portal cannot ask ${agencyName} whether it has paid this round already. Ask the agency, and say what it answered.`,
  ])
  expect((await secondOf(cohort)).round).toBeNull()
  expect((await startSecond(cohort, false)).status).toBe(200)
  const second = await secondOf(cohort)
  expect(second.state).toBe('made')
  return second.round
}

test('girls whom only a lost database has paid at the new address of their agency are not paid again until a person has asked the agency', async () => {
  const cohort = await paidFirst(3)
  await unmadeSecond(cohort)
  await restored({ 1: 2 })
  await work()
  await until(async () =>
    (await readHold())?.lists.every(({ state }: { state: string }) => state !== 'reading'),
  )
  expect((await readHold()).to_miss).toBe(1)
  await releaseByHand()
  expect(await secondOf(cohort)).toEqual({ state: 'missed', round: null })
  const round = await paidOnceConfirmed(cohort, 'Sandbox')
  await settled(round)
  expect(await received(round)).toBe(3)
  expect(
    (
      await portal.owner.query(
        `select v.new_values->'paid_before' as paid from audits a join audit_values v on v.audit_id = a.id
         where a.event = 'round started' and a.auditable_id = $1`,
        [cohort],
      )
    ).rows,
  ).toEqual([{ paid: false }])
})

test('a round that only a lost database may have made waits for a person when her agency got another account after the restore', async () => {
  const cohort = await paidFirst(2)
  await restored()
  await work()
  await stage.asked()
  await releaseByHand()
  expect((await changeAgency(portal, 1, { endpoint: agency.url })).status).toBe(200)
  // A worker that begins to make the round leaves it to a person.
  await unmadeSecond(cohort)
  await until(async () => (await secondOf(cohort)).state === 'missed')
  const round = await paidOnceConfirmed(cohort, 'Sandbox')
  await settled(round)
})

test('a bank that takes files pays no round that a lost database may have had paid until a person has asked it', async () => {
  const bank = await addBank(portal)
  const listAtBank = async (name: string): Promise<number> => {
    const list = await portal.db
      .transaction()
      .execute((tx) => addList(tx, stage.officer, 2, name, undefined, true))
    await portal.owner.query('update transfer_cohorts set transfer_agency_id = $2 where id = $1', [
      list,
      bank,
    ])
    return list
  }
  const cohort = await listAtBank('Approved before the backup')
  await portal.owner.query(
    "update transfer_cohorts set status = 'approved', decided_by = user_id, decided_at = now() where id = $1",
    [cohort],
  )
  await unmadeSecond(cohort)
  // The hold lists the first one, which was made. It is confirmed there, and not once more.
  await portal.owner.query(
    "insert into transfer_rounds (cohort_id, n, due_on) values ($1, 1, (now() at time zone 'utc')::date)",
    [cohort],
  )
  await portal.db.transaction().execute((tx) => makeRound(tx, cohort, 1))
  await portal.owner.query("update transfer_rounds set state = 'missed' where cohort_id = $1 and n = 1", [
    cohort,
  ])
  const list = await listAtBank('Uploaded before the backup')
  await restored()
  await work()
  await releaseByHand()
  expect(await secondOf(cohort)).toEqual({ state: 'missed', round: null })
  expect((await summaryOf(cohort)).rounds[0]).toMatchObject({ state: 'missed', perhaps_paid: false })
  const obstacles = async () =>
    (await portal.owner.query('select kind from cohort_move_obstacles($1, 1) order by 1', [cohort])).rows.map(
      ({ kind }) => kind,
    )
  expect(await obstacles()).toEqual(['asked_first'])
  await paidOnceConfirmed(cohort, 'Banque du Fleuve')
  // A person has answered for the bank, so another agency may pay it.
  expect(await obstacles()).toEqual([])
  const check = (await summaryOf(list)).check
  expect(check).toMatchObject({ perhaps_paid: true })
  const decide = (paid_before?: boolean) =>
    approver.post(`/admin/transfers/cohorts/${list}/approve`, {
      action: 'approved',
      confirmed_overlaps: check.overlaps.map(({ cohort_id }: { cohort_id: number }) => cohort_id),
      paid_before,
    })
  expect(await decide()).toMatchObject({
    status: 409,
    body: {
      message: expect.stringMatching(/cannot ask Banque du Fleuve whether it has paid this round already/),
    },
  })
  expect(await decide(true)).toMatchObject({
    status: 200,
    body: {
      message:
        'Round 1 counts as paid by its agency. Nothing is sent. Settle its payments with the agency’s statement or letter.',
    },
  })
  const [made] = (await summaryOf(list)).rounds
  const counted = await approver.get(`/admin/transfers/cohorts/${list}/progress`)
  expect(counted.body.round).toMatchObject({ unknown: 2 })
  // There is nothing to make a file of.
  const files = await approver.get(`/admin/transfers/cohorts/payroll/${made.payroll_group_id}/bank-files`)
  expect(files.body).toMatchObject({ bank_files: [], next: { payments: 0 } })
})

test('no round that a lost database may have had paid is made while it is still unknown whether its agency can be asked', async () => {
  const cohort = await paidFirst(2)
  await unmadeSecond(cohort)
  await portal.owner.query("update transfer_rounds set state = 'missed' where cohort_id = $1 and n = 2", [
    cohort,
  ])
  await restored()
  await compareMarks(portal.context)
  expect(await readHold()).toBeTruthy()
  expect((await startSecond(cohort)).status).toBe(409)
  await work()
  await releaseByHand()
  expect(await plannedSecond(cohort)).toMatchObject({ perhaps_paid: false })
  expect((await startSecond(cohort)).status).toBe(200)
  await settled((await secondOf(cohort)).round)
})

test('an agency keeps its account while payments that a lost database may have sent are still to be asked about there', async () => {
  const cohort = await paidFirst(2)
  await restored()
  await work()
  await releaseByHand()
  await stage.rest()
  await unmadeSecond(cohort)
  expect((await startSecond(cohort)).status).toBe(200)
  const change = await changeAgency(portal, 1, { endpoint: `${agency.url}/` })
  expect([change.status, change.body.message]).toEqual([
    409,
    'Open outcomes at "Sandbox": 2. Its address and account cannot change before they are settled.',
  ])
  await work()
  await settled((await secondOf(cohort)).round)
  expect((await changeAgency(portal, 1, { endpoint: `${agency.url}/` })).status).toBe(200)
})
