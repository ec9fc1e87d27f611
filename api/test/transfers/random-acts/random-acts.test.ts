import { expect, test } from 'vitest'
import { linkAudits, verifyAudits } from '../../../src/kit/audit/audit-chain.ts'
import { until } from '../../portal.ts'
import { acts, nextAct } from './acts.ts'
import { faultsOfEnd } from './finish.ts'
import { judge, transactionNow } from './judge.ts'
import { faultsOfPages } from './pages.ts'
import { quiet } from './quiet.ts'
import { startWorld, type World } from './stage.ts'

/**
 * A long story about money: whatever staff can do, in an order that a seed decides, with a worker that pays and agencies that keep
 * books of their own. `RANDOM_SEED` and `RANDOM_RUNS` tell other stories, and more; `RANDOM_ACTS` makes them longer.
 */
const seed = Number(process.env.RANDOM_SEED ?? 20_261_130)
const runs = Number(process.env.RANDOM_RUNS ?? 1)
const length = Number(process.env.RANDOM_ACTS ?? 30)

/** Does an act, or the next one for which there is something to do. Every story begins with two lists that are approved. */
async function happens(world: World, names: string[], at: number, first: string): Promise<void> {
  for (let tries = 0, name = first; tries < 30; tries++, name = nextAct(world)) {
    names[at] = name
    const before = world.calls.length
    if ((await acts[name]?.act(world)) || world.calls.length > before) return
  }
}

const beginning = ['a list is uploaded', 'a list is uploaded', 'a list is decided on', 'a list is decided on']

/** One or two acts, and what was wrong with them. */
async function step(world: World, n: number): Promise<string[]> {
  const names = beginning[n - 1]
    ? [beginning[n - 1] as string]
    : Array.from({ length: world.chance(0.15) ? 2 : 1 }, () => nextAct(world))
  const since = await transactionNow(world)
  const thrown = (await Promise.allSettled(names.map((name, at) => happens(world, names, at, name)))).flatMap(
    (done) => (done.status === 'rejected' ? [`could not be done: ${done.reason?.stack}`] : []),
  )
  const done = world.calls.map(({ role, path, answer }) => `${role} ${path} ${answer.status}`)
  world.log.push(`${n}. ${names.join(' and ')}: ${done.join(', ')}`)
  if (world.chance(0.5)) await quiet(world, 1_000)
  return [...thrown, ...(await judge(world, since))]
}

const seeds = Array.from({ length: runs }, (_, n) => seed + n)

test.each(seeds)(
  'whatever people do about money in story %i, the books and pages agree and everything can be ended',
  {
    timeout: 600_000,
  },
  async (story) => {
    const world = await startWorld(story)
    const faults: string[] = []
    for (let n = 1; n <= length && faults.length === 0; n++) {
      faults.push(...(await step(world, n)))
      if (n % 8 === 0) faults.push(...((await faultsOfPages(world)) ?? []))
    }
    if (faults.length === 0) {
      const since = await transactionNow(world)
      faults.push(
        ...(await faultsOfEnd(world)),
        ...(await judge(world, since)),
        ...((await faultsOfPages(world)) ?? [
          'money moved when all was over, so the pages were not compared',
        ]),
      )
    }
    expect(faults, `story ${story}\n${world.log.join('\n')}`).toEqual([])
    const { db, settings } = world.portal
    await until(async () => (await linkAudits(db, settings.secret, null)).linked === 0)
    expect(await verifyAudits(db, settings.secret)).toMatchObject({ fault: null })
  },
)
