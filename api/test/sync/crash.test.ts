import { expect, test } from 'vitest'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'
import { mortalWorkers } from '../workers.ts'
import { computed, makeSource, shuffled } from './source.ts'
import { dayBack, machine, makeToken, settled } from './sync.ts'

const portal = await startPortal()
const workers = mortalWorkers(portal.settings)

/** Enough messages that workers are killed while they process them, also on a Monday. */
const tenDays = Array.from({ length: 10 }, (_, back) => dayBack(back))

const processed = async (): Promise<number> =>
  (await portal.owner.query('select count(*)::int as n from synced_messages where processed_at is not null'))
    .rows[0].n

test('the figures are right after pairs of workers were killed while they processed ten days of messages', async () => {
  await addPlaces(portal)
  await addSchools(portal, 200)
  const send = machine(portal, await makeToken(portal))
  const { sent, dice } = makeSource(4711, ['5', '6', '7', '8', '9'], tenDays)
  const deliveries = shuffled([...sent, ...sent], () => dice.next())
  for (let at = 0; at < deliveries.length; at += 1000)
    expect((await send({ messages: deliveries.slice(at, at + 1000) })).status).toBe(202)
  for (let kill = 1; kill <= 2; kill++) {
    const before = await processed()
    const pair = [workers.start(), workers.start()]
    await until(async () => (await processed()) > before, 30_000)
    await Promise.all(pair.map((worker) => workers.end(worker, 'SIGKILL')))
    expect(await processed(), `kill ${kill} lands amid the messages`).toBeLessThan(sent.length)
  }
  const last = workers.start()
  await settled(portal, 60_000)
  await workers.end(last, 'SIGTERM')
  expect(await processed()).toBe(sent.length)
  const { silent: _, ...expected } = computed(sent)
  const { body } = await (await portal.signedIn()).get('/home/dashboard/attendance')
  expect(body).toMatchObject(expected)
}, 120_000)
