import { beforeEach, expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'
import { figures, machine, makeToken, minutesAgo, report, settled } from './sync.ts'

const portal = await startPortal()
await portal.worker()
let send: ReturnType<typeof machine>

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
  await addSchools(portal)
  send = machine(portal, await makeToken(portal))
})

test('a school that reports that nobody is enrolled in a class is taken at its word, whatever the register counts', async () => {
  await addStudents(portal, 20)
  await send({ messages: [report({ learners: { enrolled: 0, present: 0 } })] })
  await settled(portal)
  expect(await figures(portal)).toMatchObject([{ class: '7A', enrolled: 0, present: 0 }])
})

test('of two reports of one class that a device sends together the later one counts, whichever stands first', async () => {
  const at = (minutes: number, present: number, name: string) =>
    report({ class: name, learners: { enrolled: 50, present } }, { created_at: minutesAgo(minutes) })
  await send({ messages: [at(60, 10, '7A'), at(5, 41, '7A'), at(5, 42, '8A'), at(60, 10, '8A')] })
  await settled(portal)
  expect((await figures(portal)).map((row) => [row.class, row.present])).toEqual([
    ['7A', 41],
    ['8A', 42],
  ])
})
