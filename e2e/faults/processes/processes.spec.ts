import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres, stopServer } from '../../../scripts/postgres.mjs'
import { agencyBehaves, agencyLedger, paidBy } from '../../agency.ts'
import * as cohorts from '../../cohorts.ts'
import { leaveDatabase } from '../../database.ts'
import { place } from '../../stage/place.ts'
import { expect, expectAccessible, test } from '../../test.ts'
import { recipients, workbook } from '../../workbooks.ts'

type Process = 'worker' | 'api'
const pidOf = (name: Process) => Number(readFileSync(join(place.folder, 'run', `${name}.pid`), 'utf8'))
const isUp = async () => {
  const answer = await fetch(`${place.url}/api/health`).catch(() => null)
  return answer?.ok ?? false
}

/** Kills it as a machine without memory would, and waits until the supervisor has started another. */
async function kill(name: Process): Promise<void> {
  const before = pidOf(name)
  process.kill(before, 'SIGKILL')
  await expect.poll(() => pidOf(name), { timeout: 20_000 }).not.toBe(before)
  await expect.poll(isUp, { timeout: 20_000 }).toBe(true)
}

// Fifty are on the line at a time: twelve times two seconds, without what the kills cost.
const count = 600
const amount = 10_500

test('a round during which worker and api are killed again and again pays everybody once', async ({
  person,
  expected,
}) => {
  // Whoever looks on while the api is down has calls that fail, and shows them again when it is back.
  expected.push(/Failed to load resource/, /net::ERR_/)
  const name = 'Paid through kills'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(count))
  const { id } = await cohorts.uploadTargetList(officer, { name, file })
  await agencyBehaves({ latency_ms: 2000 })
  const approver = await person('approver')
  await cohorts.openSummary(approver, id)
  await cohorts.approve(approver)

  const disbursed = async () => (await cohorts.storedCohort(name)).disbursed
  const kills: Process[] = ['worker', 'api', 'worker', 'worker', 'api']
  for (const each of kills) {
    const before = await disbursed()
    await expect.poll(disbursed, { timeout: 60_000 }).toBeGreaterThan(before)
    expect(await disbursed(), `${each} is killed while the round is paid`).toBeLessThan(count * amount)
    await kill(each)
  }
  await agencyBehaves({ latency_ms: 5 })
  await expect.poll(disbursed, { timeout: 90_000 }).toBe(count * amount)
  expect((await cohorts.storedCohort(name)).pending).toBe(0)
  const ledger = await agencyLedger(await cohorts.referencesOf(id))
  expect(paidBy(ledger)).toBe(count * amount)
  expect(ledger.filter(({ executed }) => executed !== 1)).toEqual([])

  await cohorts.openSummary(approver, id)
  await expect(approver.getByRole('main')).toContainText(name)
})

test('a school officer who opens a page while the database is away reads so, and it opens by itself once the database is back', async ({
  person,
  expected,
}) => {
  expected.push(/Failed to load resource/)
  const officer = await person('school')
  await officer.goto('/admin/schools')
  const list = officer.getByRole('table')
  await expect(list).toBeVisible()
  const dir = join(place.folder, 'postgres')
  await leaveDatabase()
  const [pid] = readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')
  await stopServer(Number(pid))
  try {
    const answer = await officer.goto('/admin/schools')
    expect([answer?.status(), answer?.headers()['retry-after']]).toEqual([503, '5'])
    await expect(officer.getByRole('heading')).toHaveText('The portal does not answer at the moment')
    await expect(officer.getByRole('main')).toContainText('This page opens by itself')
    await expectAccessible(officer, 'the page of a database that is away')
  } finally {
    await startPostgres({ dir })
  }
  await expect(list).toBeVisible()
  expect(new URL(officer.url()).pathname).toBe('/admin/schools')
})
