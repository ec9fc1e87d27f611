import { expect, test } from 'vitest'
import { untilLocked } from '../locks.ts'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, fileOf, imported, stopped, student } from '../registers/registers.ts'

const callLimits = {
  connections: 2,
  connectMs: 5000,
  statementMs: 60_000,
  silentMs: 61_000,
  lockMs: 30_000,
  idleMs: 30_000,
}
const portal = await startPortal({ callLimits })
await portal.worker()
await addPlaces(portal)
await addSchools(portal)

test('as many officers as the portal has connections correct and confirm their reviews at the same moment', async () => {
  const people = await Promise.all([1, 2].map(() => portal.signedInAs('School Officer')))
  const reviews: number[] = []
  for (const [at, person] of people.entries()) {
    const file = fileOf([student(at + 1, { current_class_level: '77' })])
    reviews.push((await imported(person, 'students', file, true)).id)
  }
  const body = (value: string) => ({ corrections: [{ row: 2, column: 'current_class_level', value }] })
  const blocker = await portal.owner.connect()
  try {
    for (const [call, value] of [
      ['check', '8'],
      ['confirm', '7'],
    ] as const) {
      await blocker.query('begin; lock table import_rows in access exclusive mode')
      const answers = people.map((person, at) => person.post(`/imports/${reviews[at]}/${call}`, body(value)))
      // Both have begun their transaction, so no connection is left.
      await untilLocked(portal.owner, { count: 2 })
      await blocker.query('commit')
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
    }
  } finally {
    blocker.release()
  }
  for (const [at, person] of people.entries())
    expect(await stopped(person, reviews[at] as number)).toMatchObject({ state: 'imported', rows_new: 1 })
})
