import { expect, test } from 'vitest'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { holdPath, startHolds } from './holds.ts'

const stage = await startHolds()
const { approver, moveMark, newRound, portal, readHold } = stage

type Round = { id: number; entries: number; asked: number; failure: string | null; confirmed: boolean }
/** Of the sandbox agency, how far its own list was read and whether it moved in the lost database. */
const readList = async () =>
  (
    await portal.owner.query(
      `select l.after::int, l.payments::int, l.moved, l.state from sending_hold_lists l
       join sending_holds h on h.id = l.hold_id and h.released_at is null where l.agency_id = 1`,
    )
  ).rows[0]
/** A backup is restored. No worker runs, so that nothing is asked meanwhile. */
async function restored(changes: Parameters<typeof moveMark>[0]): Promise<void> {
  await moveMark((mark) => ({ counter: mark.counter + 50, ...changes(mark) }))
  await compareMarks(portal.context)
}
const roundOf = async (id: number): Promise<Round> =>
  (await readHold()).rounds.find((round: Round) => round.id === id)

test('what was answered and confirmed before a second backup was restored is asked again, from as early as before', async () => {
  const { round } = await newRound(2)
  const { round: silent } = await newRound(1)
  const early = Date.now() - 3 * 3_600_000
  await restored((mark) => ({ at: early, changes: { ...mark.changes, 1: 9 } }))
  const first = await readHold()
  expect(Date.parse(first.known_until)).toBe(early)
  expect(await readList()).toMatchObject({ moved: true })

  // The agency answers about one round, and an approver confirms the other.
  await portal.owner.query(
    `update sending_hold_questions set answer = 'not_found', tries = 3 where payroll_group_id = $1`,
    [round],
  )
  await portal.owner.query(`update sending_hold_rounds set failure = 'moved' where payroll_group_id = $1`, [
    silent,
  ])
  await portal.owner.query(
    `update sending_hold_lists set after = 7, payments = 7, state = 'read', can_ask = true where agency_id = 1`,
  )
  expect((await approver.post(`${holdPath}/rounds/${silent}/confirm`)).status).toBe(200)
  expect(await roundOf(round)).toMatchObject({ entries: 2, asked: 2 })
  expect(await roundOf(silent)).toMatchObject({ failure: 'moved', confirmed: true })
  expect((await readHold()).barred).toBeNull()

  await restored(() => ({}))
  const hold = await readHold()
  expect(hold).toMatchObject({ id: first.id, known_until: first.known_until })
  expect(hold.barred).not.toBeNull()
  expect(await roundOf(round)).toMatchObject({ entries: 2, asked: 0 })
  expect(await roundOf(silent)).toMatchObject({ asked: 0, failure: null, confirmed: false })
  expect(await readList()).toEqual({ after: 0, payments: 0, moved: true, state: 'reading' })
  expect((await approver.post(`${holdPath}/release`)).status).toBe(409)
})
