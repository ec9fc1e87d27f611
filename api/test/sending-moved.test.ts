import { expect, test } from 'vitest'
import { compareMarks } from '../src/transfers/sending-hold/sending-watch.jobs.ts'
import { changeAgency } from './cohorts.ts'
import { holdPath as path, startHolds } from './holds.ts'
import { until } from './portal.ts'

const stage = await startHolds()
const { agency, approver, moveMark, newRound, portal, readHold, received, settled, work } = stage

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
    expect.stringMatching(/^\d+ payments were not asked/),
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
